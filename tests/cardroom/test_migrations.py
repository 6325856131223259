"""A database is made by the migrations that are here, or it is left alone."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder


def test_a_database_of_another_version_is_refused_in_words_before_anything_is_done():
    MigrationRecorder(connection).record_applied("games", "0002_of_another_day")
    with pytest.raises(CommandError, match=r"games\.0002_of_another_day is unknown here(.|\n)*remove the folder \.run"):
        call_command("migrate", skip_checks=False, verbosity=0)
