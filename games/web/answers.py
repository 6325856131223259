"""Where the forms of a table go on to."""

import json
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from cardroom.web.operations import Then


def moved(words: str | Callable[[Any], str], page: str, *parts: str, news: str = "seats-moved") -> Then:
    """With htmx a notice with these words of what was made: the page at hand hears the rest as `news`. Else to `page`,
    which says them at its top; of the form's address it takes these `parts`."""

    def then(request: HttpRequest, made: Any) -> HttpResponse:
        said = words.format(made) if isinstance(words, str) else words(made)
        if request.htmx:
            return HttpResponse(status=204, headers={"HX-Trigger": json.dumps({news: {}, "toast": {"message": said}})})
        messages.success(request, said)
        given = request.resolver_match.kwargs if request.resolver_match else {}
        return redirect(page, **{name: given[name] for name in parts})

    return then
