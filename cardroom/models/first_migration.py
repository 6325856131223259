"""The first migration of an app: all its tables in one step."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import Migration
from django.db.migrations.state import ProjectState


class FirstMigration(Migration):
    """Nothing but `CreateModel`s, applied as one.

    Django renders the models that are related to a new one again after each of them, and through the user all of ours
    are related: eighty tables took five seconds. Here they are rendered once, with the last. For the same reason
    tables may point at each other in a circle.
    """

    def apply(
        self, project_state: ProjectState, schema_editor: BaseDatabaseSchemaEditor, collect_sql: bool = False
    ) -> ProjectState:
        before = project_state.clone()
        project_state.__dict__.pop("apps", None)  # a cached property: the rendered models
        for operation in self.operations:
            operation.state_forwards(self.app_label, project_state)
        for operation in self.operations:
            operation.database_forwards(self.app_label, schema_editor, before, project_state)
        return project_state
