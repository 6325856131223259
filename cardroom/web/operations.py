"""One declaration of a verb: its REST handler with the OpenAPI entry, and the form on a page, come from it.

`resources(DECLARED)` and `pages(DECLARED)` are the addresses of a room: what has the same address is one resource, with
a handler for each method. What a verb does stands in its service; what a page shows in the room's `pages`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.urls.converters import get_converters
from django.views.decorators.cache import never_cache
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from cardroom.models import Approval, User
from cardroom.services import access
from cardroom.services.errors import CardroomError, Invalid
from cardroom.services.prints.files import PDF
from cardroom.web import files
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Order, Query
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.routes import resource
from cardroom.web.api.schema import refusals

#: Shows a page; after a refusal once more, with `refusal` and what was `typed`.
Show = Callable[..., HttpResponse]
#: Answers with where to go on, once something is done.
Then = Callable[[HttpRequest, Any], HttpResponse]
Shape = type[BaseSerializer[Any]]

_PAGE_KEY = re.compile("[A-Za-z0-9_.:-]{0,60}")
_PARTS = re.compile(r"<(\w+):(\w+)>")


@dataclass(frozen=True)
class Page:
    """An address that shows something. `show(request, **address)`; for one of these roles or, where there are none,
    whoever is logged in."""

    address: str
    name: str
    show: Show
    roles: tuple[str, ...] = ()

    def allow(self, user: Any) -> None:
        """Refuse (`Forbidden`) who may not look at it."""
        if self.roles:
            access.require_role(user, *self.roles)


@dataclass(frozen=True)
class Form:
    """Where `page` posts to; it is for who may look at that page, which is shown again after a refusal (by `again`,
    where that is another). `then(request, made)` answers with where to go on. `hidden`: parts of the resource's address
    that are fields of the form, each with what is said where it is missing ("": the service does without it)."""

    address: str
    name: str
    page: Page
    then: Then
    again: Show | None = None
    hidden: Mapping[str, str] = field(default_factory=dict)
    #: Forms that post to the same address are told apart by their field `what`.
    what: str = ""
    #: What is meant where a field does not come: a box that is not ticked sends nothing.
    unsaid: Mapping[str, str] = field(default_factory=dict)

    def attempt(self, request: HttpRequest, act: Callable[[], HttpResponse], **address: Any) -> HttpResponse:
        """Do it; refused, the page comes again."""
        return attempt(request, act, partial(self.again or self.page.show, **address))


@dataclass(frozen=True, kw_only=True)
class _Declared:
    name: str
    summary: str
    address: str
    tag: str
    scope: str = "play"
    #: Who may: one of these roles; anybody who is logged in, where there are none.
    roles: tuple[str, ...] = ()
    description: str = ""
    refuses: tuple[int, ...] = ()
    is_deprecated: bool = False

    def allowed(self, user: Any) -> User:
        """The user, or `Forbidden`."""
        return access.require_role(user, *self.roles) if self.roles else access.require_login(user)

    def schema(self, handler: Any, *, request: Any, responses: dict[Any, Any], **more: Any) -> Any:
        """The handler with its entry in the OpenAPI document."""
        return extend_schema(
            operation_id=self.name, summary=self.summary, description=self.description or None, request=request,
            responses=responses | refusals(*self.refuses), deprecated=self.is_deprecated or None, **more,
        )(handler)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Operation(_Declared):
    """A verb. `does(by=..., key=..., **address, **order)` is its service: no `key` unless it is `keyed`, and the person
    under the name `actor`. `out` draws what `shows(made, by)` answers. Where a second person may be asked, `waiting`
    draws the approval, with status 202: the same shape, where `shows` knows of approvals. `asks` tells these apart."""

    does: Callable[..., Any]
    method: str = "POST"
    #: Whether staff show their second factor again before it.
    asks_factor: bool = False
    order: type[Order] | None = None
    actor: str = "by"
    keyed: bool = False
    status: int = 200
    out: Shape | None = None
    many: bool = False
    waiting: Shape | None = None
    asks: Callable[[Any], bool] = field(default=lambda made: isinstance(made, Approval))
    shows: Callable[[Any, User], Any] = field(default=lambda made, by: made)
    context: Mapping[str, Any] = field(default_factory=dict)
    form: Form | None = None
    #: Of other pages, or for other fields.
    more_forms: tuple[Form, ...] = ()

    @property
    def forms(self) -> tuple[Form, ...]:
        """All its forms on pages."""
        return (self.form, *self.more_forms) if self.form else self.more_forms

    def handler(self) -> Any:
        """Answers the REST request."""

        def handle(view: APIView, request: Request, **address: Any) -> Response:
            by = self.allowed(asker(request))
            order = self.order.read(request) if self.order else {}
            return self._answer(self._run(by, keys.key_of(request) if self.keyed else "", address | order), by)

        out = self.out(many=True) if self.out and self.many else self.out
        responses = {self.status: out} | ({202: self.waiting} if self.waiting else {})
        more = {"parameters": [keys.PARAMETER]} if self.keyed else {}
        return self.schema(handle, request=self.order, responses=responses, **more)

    def posted(self, form: Form, request: HttpRequest, **address: Any) -> HttpResponse:
        """Answers the form of a page: what it went on to or, refused, the page again with why and what was typed."""
        form.page.allow(request.user)
        by, typed = self.allowed(request.user), request.POST.copy()
        for name, words in form.unsaid.items():
            typed.setdefault(name, words)
        # What else stands in the form's address says which page is shown again.
        parts = {name: kind for kind, name in _PARTS.findall(self.address)}
        asked = {name: value for name, value in address.items() if name in parts}

        def act() -> HttpResponse:
            for name, words in form.hidden.items():
                converter, said = get_converters()[parts[name]], typed.get(name, "").strip()
                if re.fullmatch(converter.regex, said):
                    asked[name] = converter.to_python(said)
                elif words:
                    raise Invalid(words, "bad-form")
            order = self.order.typed(typed) if self.order else {}
            return form.then(request, self._run(by, key_in(typed) if self.keyed else "", asked | order))

        return form.attempt(request, act, **address)

    def _run(self, by: User, key: str, asked: Mapping[str, Any]) -> Any:
        named = {"key": key} if self.keyed else {}
        return self.does(**{self.actor: by}, **named, **asked)

    def _answer(self, made: Any, by: User) -> Response:
        waits = self.waiting is not None and self.asks(made)
        status = 202 if waits else self.status
        if self.out is None:
            return Response(status=status)
        if waits and self.waiting is not self.out:
            return Response(self.waiting(made).data, status=status)  # type: ignore[misc]
        told = self.out(self.shows(made, by), many=self.many, context=dict(self.context))
        return Response(told.data, status=status)


@dataclass(frozen=True, kw_only=True)
class Read(_Declared):
    """What can be looked at. `finds(by, **address, **query)` gives it; a list that is `paged` with `before` and `limit`
    as well. `context(by, found)` is what `out` needs to know beside it."""

    finds: Callable[..., Any]
    #: None for what is a file: then its media types, each with what it holds.
    out: Shape | None = None
    media: Mapping[str, str] = field(default_factory=dict)
    query: type[Query] | None = None
    many: bool = False
    paged: bool = False
    #: By which number the rows of a list that is `paged` follow each other.
    number: Callable[[Any], int] = field(default=lambda row: row.pk)
    #: Whether a PDF is saved, as other files are, and not shown.
    is_saved: bool = False
    context: Callable[[User, Any], dict[str, Any]] = field(default=lambda by, found: {})

    method = "GET"

    def handler(self) -> Any:
        """Answers the REST request."""

        def handle(view: APIView, request: Request, **address: Any) -> Response | HttpResponse:
            by = self.allowed(asker(request))
            asked = self.query.read(request) if self.query else {}
            wanted = address | {name: said for name, said in asked.items() if name not in ("cursor", "limit")}
            if self.out is None:
                return files.answer(self.finds(by, **wanted), is_saved=self.is_saved)
            if not self.paged:
                found = self.finds(by, **wanted)
                return Response(self.out(found, many=self.many, context=self.context(by, found)).data)

            def rows(before: int | None, limit: int) -> list[Any]:
                return list(self.finds(by, before=before, limit=limit, **wanted))

            found, later = NewestFirst().page(request, rows, number=self.number)
            shown = self.out(found, many=True, context=self.context(by, found)).data
            return Response({"next": later, "results": shown})

        kinds = {media: OpenApiTypes.BINARY if media == PDF else OpenApiTypes.STR for media in self.media}
        drawn: dict[Any, Any] = {
            (200, media): OpenApiResponse(kinds[media], description=words) for media, words in self.media.items()
        }
        if self.out:
            drawn = {200: self.out(many=True) if self.many or self.paged else self.out}
        more = {"parameters": [self.query]} if self.query else {}
        return self.schema(handle, request=None, responses=drawn, **more)


def resources(declared: Iterable[Operation | Read]) -> list[URLPattern]:
    """The REST addresses of what is declared."""
    found: dict[str, dict[str, Operation | Read]] = {}
    for each in declared:
        found.setdefault(each.address, {})[each.method.lower()] = each
    return [pattern for address, verbs in found.items() for pattern in _resource(address, verbs)]


def _resource(address: str, verbs: Mapping[str, Operation | Read]) -> list[URLPattern]:
    first = next(iter(verbs.values()))
    scopes = {each.scope for method, each in verbs.items() if method != "get"} or {first.scope}
    assert len(scopes) == 1, f"{address} has one scope, not {scopes}"
    plain = re.sub(r"<\w+:(\w+)>", r"\1", address)
    name = "".join(word.capitalize() for word in re.split(r"[^a-z]+", plain))
    says = {"__doc__": "", "tags": (first.tag,), "scope": scopes.pop()}
    says["asks_factor"] = any(getattr(each, "asks_factor", False) for each in verbs.values())
    if getattr(verbs.get("get"), "paged", False):
        says["pagination_class"] = NewestFirst
    handlers = {method: each.handler() for method, each in verbs.items()}
    return resource(address, type(f"{name}View", (APIView,), says | handlers), name=f"api-{plain}")


def pages(shown: Iterable[Page], declared: Iterable[Operation | Read]) -> list[URLPattern]:
    """The addresses of a room's pages and of their forms."""
    found: dict[tuple[str, str], dict[str, Show]] = {}
    posted: dict[tuple[str, str], dict[str, tuple[Operation, Form]]] = {}
    for page in shown:
        found.setdefault((page.address, page.name), {})["GET"] = _shown(page)
    for each in declared:
        if not isinstance(each, Operation):
            continue
        for form in each.forms:
            forms = posted.setdefault((form.address, form.name), {})
            assert form.what not in forms, f"{form.address} has two forms {form.what!r}"
            forms[form.what] = (each, form)
    for at, forms in posted.items():
        found.setdefault(at, {})["POST"] = _posted(forms)
    asking = {at for at, forms in posted.items() if any(each.asks_factor for each, _ in forms.values())}
    return [path(at[0], _by_method(verbs, is_asking=at in asking), name=at[1]) for at, verbs in found.items()]


def _shown(page: Page) -> Show:
    @wraps(page.show)
    def show(request: HttpRequest, **address: Any) -> HttpResponse:
        page.allow(request.user)
        return page.show(request, **address)

    return show


def _posted(forms: Mapping[str, tuple[Operation, Form]]) -> Show:
    def post(request: HttpRequest, **address: Any) -> HttpResponse:
        what = request.POST.get("what", "") if [*forms] != [""] else ""
        if what in forms:
            each, form = forms[what]
            return each.posted(form, request, **address)
        _, form = next(iter(forms.values()))
        form.page.allow(request.user)

        def refuse() -> HttpResponse:
            raise Invalid("There is nothing of that kind to be done.", "bad-what")

        return form.attempt(request, refuse, **address)

    return post


def _by_method(verbs: dict[str, Show], *, is_asking: bool) -> Any:
    if "GET" in verbs:
        verbs = {**verbs, "HEAD": verbs["GET"]}

    @never_cache
    @login_required
    def answer(request: HttpRequest, **address: Any) -> HttpResponse:
        verb = verbs.get(request.method or "")
        return verb(request, **address) if verb else HttpResponseNotAllowed(list(verbs))

    return asks_factor(answer) if is_asking else answer


def said(words: str | Callable[[Any], str], page: str, *parts: str) -> Then:
    """To `page`, which says at its top these words of what was made; of the form's address it takes these `parts`."""

    def then(request: HttpRequest, made: Any) -> HttpResponse:
        messages.success(request, words.format(made) if isinstance(words, str) else words(made))
        given = request.resolver_match.kwargs if request.resolver_match else {}
        return redirect(page, **{name: given[name] for name in parts})

    return then


def say_refusal(request: HttpRequest, refusal: CardroomError | None) -> None:
    """At the top of the page that is shown, where something was refused."""
    if refusal:
        messages.error(request, refusal.message)


def asks_factor(view: Show) -> Show:
    """Have staff show their second factor again before what this view does; see `factors`."""
    view.asks_factor = True  # type: ignore[attr-defined]
    return view


def attempt(request: HttpRequest, act: Callable[[], HttpResponse], page: Show) -> HttpResponse:
    """Do it; refused, the page comes again with why, and with what was typed."""
    try:
        return act()
    except CardroomError as refusal:
        answer = page(request, refusal=refusal, typed=request.POST)
        answer.status_code = refusal.status
        return answer


def key_in(typed: Mapping[str, Any]) -> str:
    """The key that the page was made with; `Invalid` for what is none."""
    key = str(typed.get("key", ""))
    if not _PAGE_KEY.fullmatch(key):
        raise Invalid("This page was changed on its way: load it again.", "bad-key")
    return key
