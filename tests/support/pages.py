"""Pages as people read them."""

import re
from html import unescape

from django.http import HttpResponse


def words(page: str | HttpResponse) -> str:
    """What a page says, without its tags."""
    html = page if isinstance(page, str) else page.content.decode()
    text = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html)))
    return re.sub(r"\s+([.,:])", r"\1", text).strip()
