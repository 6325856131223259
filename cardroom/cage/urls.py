"""The addresses of the cage: its resources, its pages, and their forms."""

from cardroom.cage.api import api
from cardroom.cage.pages import approvals, counter, drawers, slips, vault
from cardroom.core.web.page_urls import page_urls

__all__ = ["PAGES", "api", "urlpatterns"]

PAGES = (counter, slips, drawers, vault, approvals)

urlpatterns = page_urls(
    [page for part in PAGES for page in part.PAGES], forms=[form for part in PAGES for form in part.FORMS]
)
