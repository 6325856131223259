"""The resources of waiting lists."""

from itertools import chain

from cardroom.web.api.routes import resource
from games.web.api import lists

urlpatterns = [
    *resource("lists", lists.ListsView, name="api-lists"),
    *resource("lists/<id:offer_id>", lists.ListView, name="api-list"),
    *resource("lists/<id:offer_id>/names", lists.ListNamesView, name="api-list-names"),
    *resource("list-entries/<id:entry_id>", lists.ListEntryView, name="api-list-entry"),
    *chain.from_iterable(
        resource(f"list-entries/<id:entry_id>/{verb}", view, name=f"api-list-{verb}")
        for verb, view in lists.VERBS.items()
    ),
    *resource("tables/<id:table_id>/next", lists.NextView, name="api-next-for-table"),
    *resource("me/lists", lists.MyListsView, name="api-my-lists"),
]
