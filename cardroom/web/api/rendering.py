"""Every resource as a page to click through, where a browser asks for it."""

import re
from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BrowsableAPIRenderer, JSONRenderer

# In the framework's own markup; what people wrote is escaped and holds no quotation mark.
_INLINE_STYLE = re.compile(r' style="[^"]*"')


class Browsable(BrowsableAPIRenderer):
    """The framework's pages without styles of their own, which our Content-Security-Policy refuses."""

    def get_default_renderer(self, view: Any) -> JSONRenderer:
        return JSONRenderer()

    def get_breadcrumbs(self, request: Any) -> list[tuple[str, str]]:
        """Each step once: an address answers with a slash at its end as well."""
        steps = dict.fromkeys((name, url.rstrip("/")) for name, url in super().get_breadcrumbs(request))
        return list(steps)

    def get_context(self, data: Any, accepted_media_type: Any, renderer_context: Any) -> dict[str, Any]:
        return super().get_context(data, accepted_media_type, renderer_context) | {"code_style": None}

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> str:
        return _INLINE_STYLE.sub("", super().render(data, accepted_media_type, renderer_context))
