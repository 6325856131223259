"""Where the forms of tables and lists go on to."""

import json
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from cardroom.core.web.operations import Then


def moved(
    words: str | Callable[[Any], str],
    page: str,
    *parts: str,
    news: str = "seats-moved",
    drawn: Callable[..., HttpResponse | None] | None = None,
) -> Then:
    """With htmx a notice with these words of what was made, and the parts of the page that `news` is for hear of it;
    what is `drawn(request, made, **address)` comes with it. Else to `page`, which says the words at its top; of the
    form's address it takes these `parts`."""

    def then(request: HttpRequest, made: Any) -> HttpResponse:
        said = words.format(made) if isinstance(words, str) else words(made)
        address = request.resolver_match.kwargs if request.resolver_match else {}
        if request.htmx:
            answer = (drawn(request, made, **address) if drawn else None) or HttpResponse(status=204)
            answer["HX-Trigger"] = json.dumps({news: {}, "toast": {"message": said}})
            return answer
        messages.success(request, said)
        return redirect(page, **{name: address[name] for name in parts})

    return then
