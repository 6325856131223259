"""Parts of pages that keep themselves up to date, and numbers, days and times in forms and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from functools import wraps
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.vary import vary_on_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from cardroom.core import room_time
from cardroom.core.errors import Invalid, Verbatim

# Numbers, days and times


#: More than any chips, and any id.
_MOST_DIGITS = 16
#: Digits alone, or thousands set apart by a comma, a point or one of several kinds of space.
_WHOLE = re.compile(r"[0-9]+|[0-9]{1,3}(?:([,. \u00a0\u2009\u202f])[0-9]{3})(?:\1[0-9]{3})*")


def whole_number(text: str, refusal: str = gettext_lazy("Choose one."), **details: Any) -> int:
    """The number; also with thousands set apart as people do in any of the room's languages. Refuses anything else
    (`Invalid`)."""
    number = whole_number_or_none(text)
    if number is None:
        raise Invalid("bad-number", Verbatim(refusal), **details)
    return number


def whole_number_or_none(text: str) -> int | None:
    """The whole number that the text is; None for any other text."""
    if not _WHOLE.fullmatch(text.strip()):
        return None
    digits = re.sub(r"[^0-9]", "", text)
    return int(digits) if len(digits) <= _MOST_DIGITS else None


class WholeNumberField(forms.IntegerField):
    """The same in a form of Django's. It is typed as text: a browser's own field for numbers takes thousands set apart
    for a fraction, or not at all."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> int | None:
        if not isinstance(value, str) or value in self.empty_values:
            return super().to_python(value)
        number = whole_number_or_none(value)
        if number is None:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return number

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), **({} if widget.is_hidden else {"inputmode": "numeric"})}


class DecimalsField(forms.DecimalField):
    """A number with decimals, after a point or a comma."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> Any:
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "inputmode": "decimal"}


def query_number(request: HttpRequest, name: str) -> int | None:
    """A whole number in the query of the address, None where it is missing; `Invalid` for anything else."""
    text = request.GET.get(name, "")
    return whole_number(text, gettext("`{name}` is a whole number.").format(name=name)) if text else None


def day_of(sent: str) -> date | None:
    """ "2030-01-05"; None where nothing was typed."""
    if not sent:
        return None
    try:
        return date.fromisoformat(sent)
    except ValueError as error:
        raise Invalid("bad-day", "A day is written 2030-01-31.") from error


def moment_of(sent: str) -> datetime | None:
    """ "2030-01-05T20:00", in the zone of the page's reader; None where nothing was typed."""
    if not sent:
        return None
    try:
        moment = datetime.fromisoformat(sent)
    except ValueError as error:
        raise Invalid("bad-moment", "A moment is written 2030-01-31T20:00.") from error
    return moment if moment.tzinfo else timezone.make_aware(moment)


View = Callable[..., HttpResponse]


def is_opened(request: HttpRequest) -> bool:
    """Whether a person opened this address, in a tab or by going back, and no page asked for it: only a browser that
    is to show a page asks for HTML before all else."""
    wants_page = request.headers.get("Accept", "").startswith("text/html")
    is_asked = "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers
    return wants_page and not is_asked


def part_of(page: str, *parts: str, **query: str) -> Callable[[View], View]:
    """For a view that answers with a part of `page` (the name of its address): a person who opens the address itself is
    redirected to that page.

    `parts`: the view's arguments that the address of the page takes. `query`: further parameters of the page's address,
    each with the view's argument that has its value.
    """

    def decorated(view: View) -> View:
        @wraps(view)
        @vary_on_headers("Accept", "HX-Request")
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not is_opened(request):
                return view(request, *args, **kwargs)
            parameters = request.GET.dict() | {name: kwargs[argument] for name, argument in query.items()}
            address = reverse(page, kwargs={name: kwargs[name] for name in parts})
            return redirect(address + (f"?{urlencode(parameters)}" if parameters else ""))

        return answer

    return decorated


# Static files without a second server and without `collectstatic`; and the zone that a page is shown in: the one its
# reader chose, else the browser's as `zone.js` keeps it, else the room's.


#: The cookie in which a browser names its zone.
ZONE_COOKIE = "zone"
_LONGEST_ZONE = 60


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """Whitenoise, answering with the bytes themselves.

    Its own answer is a synchronous stream, which Django warns about under ASGI and then reads whole all the same.
    """

    def add_files(self, root: Any, prefix: str | None = None) -> None:
        if Path(root).is_dir():  # it is not, until somebody runs `collectstatic`
            super().add_files(root, prefix)

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        try:
            answer = static_file.get_response(request.method, request.META)
        except FileNotFoundError as gone:
            raise Http404("Static files were collected anew since this process began.") from gone
        body = b""
        if answer.file is not None:
            with answer.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(answer.status))
        del response["Content-Type"]
        for name, value in answer.headers:
            response[name] = value
        return response


class ZoneMiddleware:
    """Makes the reader's zone the current one while their request is answered. The user is read, by a query, only where
    the request has a session. `request.asks_zone`: the browser's zone decides, so the page has to report it where it
    differs from the page's. Answers to programs do not depend on a browser's zone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        chosen = getattr(request.user, "time_zone", "") if request.user.is_authenticated else ""
        request.asks_zone = not chosen and request.method == "GET"  # type: ignore[attr-defined]
        is_page = not request.path.startswith("/api/")
        own = chosen or (request.COOKIES.get(ZONE_COOKIE, "")[:_LONGEST_ZONE] if is_page else "")
        if not own or not room_time.is_known(own):
            return self.get_response(request)
        with timezone.override(ZoneInfo(own)):
            return self.get_response(request)


def by_room_clock(show: View) -> View:
    """A page of the staff, or on a wall of the room, goes by the room's clock, in what it shows and in what is typed
    there: they talk of the same times, wherever one of them is at home."""

    @wraps(show)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.asks_zone = False  # type: ignore[attr-defined]
        with timezone.override(timezone.get_default_timezone()):
            return show(request, *args, **kwargs)

    return answer
