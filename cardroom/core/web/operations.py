"""One declaration of a verb: its REST handler with the OpenAPI entry, and the form on a page, come from it.

`resources(DECLARED)` and `pages(DECLARED)` are the addresses of a room: what has the same address is one resource, with
a handler for each method. What a verb does stands in its service; what a page shows in the room's `pages`.
"""

import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import partial
from itertools import chain
from secrets import token_urlsafe
from typing import Any, ClassVar, Protocol

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, resolve
from django.urls.converters import get_converters
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from cardroom.core import access, approvals
from cardroom.core.documents import PDF, File
from cardroom.core.errors import Invalid, NotFound, Refusal
from cardroom.core.models import Approval, User
from cardroom.core.sentences import filled
from cardroom.core.web import heavy
from cardroom.core.web.api import keys
from cardroom.core.web.api.access import asker, require_scope
from cardroom.core.web.api.fields import NoBody, Query, RequestBody
from cardroom.core.web.api.routes import NewestFirst, resource
from cardroom.core.web.api.schema import refusals
from cardroom.core.web.parts import by_room_clock

#: Shows a page; after a refusal once more, with `refusal` and what was `typed`.
Show = Callable[..., HttpResponse]
#: What a template is told.
Context = dict[str, Any]
#: Goes on from a form: with what was made.
Then = Callable[[HttpRequest, Any], HttpResponse]


@dataclass(frozen=True)
class Told:
    """What no serializer draws, such as a dataclass of an engine: its schema, or a serializer that says it, and how it
    becomes JSON."""

    schema: Mapping[str, Any] | type[BaseSerializer[Any]]
    draw: Callable[[Any], Any]


Shape = type[BaseSerializer[Any]] | Told

_PAGE_KEY = re.compile("[A-Za-z0-9_.:-]{0,60}")
PARTS = re.compile(r"<(\w+):(\w+)>")


@dataclass(frozen=True)
class Page:
    """An address that shows something. `show(request, **address)`; for one of these roles or, where there are none,
    whoever is logged in; for everybody where it `is_public`. Where it has a `template`, `show` answers with what that
    is told beside `typed` (what was typed before a refusal), the `refusal`, and a fresh `key`; or with another page. A
    refusal stands where the template puts it or, where the page `says_refusals`, among the messages at its top. What
    takes long `is_heavy`."""

    address: str
    name: str
    show: Callable[..., HttpResponse | Context]
    roles: tuple[str, ...] = ()
    is_public: bool = False
    template: str = ""
    says_refusals: bool = False
    is_heavy: bool = False

    def allow(self, user: Any) -> None:
        """`Forbidden` for who may not see the page."""
        if self.roles:
            access.require_role(user, *self.roles)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parameters in its address."""
        return tuple(name for _, name in PARTS.findall(self.address))

    def shown(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """The page, for who may see it."""
        self.allow(request.user)
        if self.is_heavy:
            return heavy.work(self.drawn, request, **address)
        return self.drawn(request, **address)

    def drawn(self, request: HttpRequest, **said: Any) -> HttpResponse:
        """The page at this address; after a refusal, with `refusal` and what was `typed`."""
        if not self.template:
            return self.show(request, **said)  # type: ignore[return-value]
        refusal, typed = said.get("refusal"), said.get("typed") or {}
        if self.says_refusals:
            say_refusal(request, refusal)
        found = self.show(request, **{name: said[name] for name in self.parts})
        if isinstance(found, HttpResponse):
            return found
        told = {"typed": typed, "key": token_urlsafe(12)} | ({} if self.says_refusals else {"refusal": refusal})
        return render(request, self.template, told | found)

    def said(self, words: str | Callable[[Any], str]) -> Then:
        """To this page, which says these words of what was made."""
        return said(words, self.name, *self.parts)


@dataclass(frozen=True)
class Form:
    """Where `page` posts to; it is for who may look at that page, which is shown again after a refusal (by `again`,
    where that is another). `then(request, made)` answers with where to go on; words alone: to that page, which says
    them of what was made. `hidden`: parts of the resource's address that are fields of the form, each with what is said
    where it is missing ("": the service does without it). `verbs`, where several forms have one address: what `verb` in
    the address, or in the form `verb`, `what` or the field `verb_name`, is for this one, each with the fields that it
    says by itself. `gives`: what the service is told by this form, beside what was typed. `shown`: parts of the form's
    address that only its page needs. `unsaid`: what is meant where a field does not come, as a box that is not ticked
    sends nothing. `order`: where the form asks otherwise than a program is asked."""

    address: str
    name: str
    page: Page
    then: Then | str
    again: Show | None = None
    hidden: Mapping[str, str] = field(default_factory=dict)
    verbs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    verb_name: str = ""
    gives: Mapping[str, Any] = field(default_factory=dict)
    shown: tuple[str, ...] = ()
    unsaid: Mapping[str, str] = field(default_factory=dict)
    order: type[RequestBody] | None = None

    def verb_of(self, request: HttpRequest, address: Mapping[str, Any]) -> str:
        """The verb that the form names, where one address has several."""
        names = [self.verb_name] if self.verb_name else ["verb", "what"]
        return str(address.get("verb") or next(filter(None, map(request.POST.get, names)), ""))

    def attempt(self, request: HttpRequest, act: Callable[[], HttpResponse], **address: Any) -> HttpResponse:
        """Do it; refused, the page comes again."""
        return attempt(request, act, partial(self.again or self.page.drawn, **address))

    def on(self, request: HttpRequest, made: Any) -> HttpResponse:
        """The address to go on to."""
        return (self.then if callable(self.then) else self.page.said(self.then))(request, made)


def one_of(roles: tuple[str, ...], user: Any) -> User:
    """Somebody with one of these roles, or who is logged in where there are none; `Forbidden`."""
    return access.require_role(user, *roles) if roles else access.require_login(user)


@dataclass(frozen=True, kw_only=True)
class _Declared:
    name: str
    summary: str
    address: str
    tag: str | tuple[str, ...]
    scope: str | tuple[str, ...] = "play"
    #: Who may: one of these roles or, where none are said, of those of the verb's service; else whoever is logged in.
    roles: tuple[str, ...] = ()
    description: str = ""
    refuses: tuple[int, ...] = ()
    #: Since when something else is to be used instead.
    deprecated_since: date | None = None
    #: What it answers with (of a `Read` and an `Operation` each in its way); None for nothing, or for what is a file:
    #: then its media types, each with what it holds.
    out: Shape | None = None
    media: Mapping[str, str] = field(default_factory=dict)
    many: bool = False
    #: How who asks may be known, where that is otherwise than everywhere.
    known_by: tuple[type, ...] = ()
    #: Whether a token is a way to ask at all.
    by_token: bool = True

    @property
    def is_for(self) -> tuple[str, ...]:
        """The roles of which one is needed; none: being logged in is enough."""
        return self.roles

    def allowed(self, user: Any) -> User:
        """The user, or `Forbidden`."""
        return one_of(self.is_for, user)

    def schema(self, handler: Any, *, request: Any, responses: dict[Any, Any], **more: Any) -> Any:
        """The handler with its entry in the OpenAPI document."""
        return extend_schema(
            operation_id=self.name, summary=self.summary, description=self.description or None, request=request,
            responses=responses | self._files() | refusals(*self.refuses), **more,
            deprecated=self.deprecated_since is not None or None,
        )(handler)  # fmt: skip

    def _files(self) -> dict[Any, Any]:
        kinds = {media: OpenApiTypes.BINARY if media == PDF else OpenApiTypes.STR for media in self.media}
        return {(200, media): OpenApiResponse(kinds[media], description=words) for media, words in self.media.items()}


@dataclass(frozen=True, kw_only=True)
class Operation(_Declared):
    """A verb. `does(by=..., key=..., **address, **order)` is its service: no `key` unless it is `keyed`; the person
    and the key, which a page has in a field of that name, are `actor` and `key_name`. `out` draws what
    `shows(made, by)` answers. Where a second person may be asked, `waiting` draws the approval, with status 202: the
    same shape, where `shows` knows of approvals. `asks` tells these apart. `tells(request)`: what the service is told
    of the request itself."""

    does: Callable[..., Any]
    method: str = "POST"
    #: Whether staff show their second factor again before it, although it moves no chips: see `core.step_up`.
    asks_factor: bool = False
    #: Whether it does heavy work before its transaction: under a key that is nobody's but the edge's it is done again.
    is_heavy: bool = False
    order: type[RequestBody] | None = None
    actor: str = "by"
    keyed: bool = False
    key_name: str = "key"
    status: int = 200
    waiting: Shape | None = None
    waiting_status: int = 202
    asks: Callable[[Any], bool] = field(default=lambda made: isinstance(made, Approval))
    shows: Callable[[Any, User], Any] = field(default=lambda made, by: made)
    context: Mapping[str, Any] = field(default_factory=dict)
    #: The scope that a token needs where that depends on whose the thing is: of who asks, and of the address
    #: and the order.
    needs: Callable[[User, Mapping[str, Any]], str] | None = None
    tells: Callable[[Any], Mapping[str, Any]] = field(default=lambda request: {})
    form: Form | tuple[Form, ...] = ()

    def __post_init__(self) -> None:
        wider = set(self.roles) - set(self._service_roles or self.roles)
        assert not wider, f"{self.name} lets in {', '.join(wider)}, whom its service refuses"

    @property
    def _service_roles(self) -> tuple[str, ...]:
        return getattr(getattr(self.does, "func", self.does), "roles", ())

    @property
    def is_for(self) -> tuple[str, ...]:
        return self.roles or self._service_roles

    @property
    def forms(self) -> tuple[Form, ...]:
        return (self.form,) if isinstance(self.form, Form) else self.form

    def handler(self) -> Any:
        """Answers the REST request."""

        def handle(view: APIView, request: Request, **address: Any) -> Response | HttpResponse:
            by = self.allowed(asker(request))
            asked = address | (self.order.read(request) if self.order else {})
            if self.needs:
                require_scope(request, self.needs(by, asked))
            key = keys.key_of(request) if self.keyed else ""
            return self._answer(self._run(by, key, {**asked, **self.tells(request)}), by)

        responses = {} if self.media else {self.status: schema_of(self.out, self.many)}
        responses |= {self.waiting_status: self.waiting} if self.waiting else {}
        says_something = self.order is not None and not issubclass(self.order, NoBody)
        more = {"parameters": [keys.PARAMETER]} if self.keyed else {}
        return self.schema(handle, request=self.order if says_something else None, responses=responses, **more)

    def posted(self, form: Form, request: HttpRequest, **address: Any) -> HttpResponse:
        """Answers the form of a page: what it went on to or, refused, the page again with why and what was typed."""
        form.page.allow(request.user)
        by, typed, order = self.allowed(request.user), request.POST.copy(), form.order or self.order
        if form.verbs:
            typed.update(form.verbs[form.verb_of(request, address)])
            address = {name: value for name, value in address.items() if name != "verb"}
        for name, words in form.unsaid.items():
            typed.setdefault(name, words)
        asked = {name: value for name, value in address.items() if name not in form.shown}

        def act() -> HttpResponse:
            found = self._hidden(form, typed)
            told = (order.typed(typed) if order else {}) | asked | found | {**form.gives, **self.tells(request)}
            return form.on(request, self._run(by, key_in(typed, self.key_name) if self.keyed else "", told))

        return form.attempt(request, act, **address)

    def _hidden(self, form: Form, typed: Mapping[str, str]) -> dict[str, Any]:
        """Parameters of the resource's address that are fields of the form."""
        parts = {name: get_converters()[kind] for kind, name in PARTS.findall(self.address)}
        found = {}
        for name, words in form.hidden.items():
            said = typed.get(name, "").strip()
            kind = parts.get(name, get_converters()["id"])
            if re.fullmatch(kind.regex, said):
                found[name] = kind.to_python(said)
            elif said or words:
                code = "bad-number" if said else "bad-form"
                raise Invalid(code, words or gettext_noop("Choose one."))
        return found

    def _run(self, by: User, key: str, asked: Mapping[str, Any]) -> Any:
        named = {self.key_name: key} if self.keyed else {}
        return self.does(**{self.actor: by}, **named, **asked)

    def _answer(self, made: Any, by: User) -> Response | HttpResponse:
        if isinstance(made, File):
            return file_answer(made)
        waits = self.waiting is not None and self.asks(made)
        status = self.waiting_status if waits else self.status
        if self.out is None:
            return Response(status=status)
        if waits and self.waiting is not self.out:
            return Response(drawn(self.waiting, made, viewer=by), status=status)  # type: ignore[arg-type]
        shown = self.shows(made, by)
        return Response(drawn(self.out, shown, viewer=by, many=self.many, context=self.context), status=status)


@dataclass(frozen=True, kw_only=True)
class Read(_Declared):
    """What can be looked at. `finds(by, **address, **query)` gives it; a list that is `paged`, by the `number` of its
    rows, with `before` and `limit` as well. `context(by, found)` is what `out` needs to know beside it. Where it
    `is_public`, nobody has to be logged in."""

    finds: Callable[..., Any]
    query: type[Query] | None = None
    paged: bool = False
    number: Callable[[Any], int] = field(default=lambda row: row.pk)
    #: Whether a PDF is saved, as other files are, and not shown.
    is_saved: bool = False
    is_public: bool = False
    #: Whether finding it takes long.
    is_heavy: bool = False
    context: Callable[[User, Any], dict[str, Any]] = field(default=lambda by, found: {})

    method = "GET"

    def handler(self) -> Any:
        """Answers the REST request."""

        def handle(view: APIView, request: Request, **address: Any) -> Response | HttpResponse:
            by = request.user if self.is_public else self.allowed(asker(request))
            asked = self.query.read(request) if self.query else {}
            wanted = address | {name: said for name, said in asked.items() if name not in ("cursor", "limit")}
            if self.out is None:
                return file_answer(self.finds(by, **wanted), is_saved=self.is_saved)
            if not self.paged:
                found = heavy.work(self.finds, by, **wanted) if self.is_heavy else self.finds(by, **wanted)
                return Response(drawn(self.out, found, viewer=by, many=self.many, context=self.context(by, found)))

            def rows(before: int | None, limit: int) -> list[Any]:
                return list(self.finds(by, before=before, limit=limit, **wanted))

            found, later = NewestFirst().page(request, rows, number=self.number)
            shown = drawn(self.out, found, viewer=by, many=True, context=self.context(by, found))
            return Response({"next": later, "results": shown})

        responses = {200: schema_of(self.out, self.many or self.paged)} if self.out else {}
        more = {"parameters": [self.query]} if self.query else {}
        return self.schema(handle, request=None, responses=responses, **more)


def schema_of(out: Shape | None, many: bool) -> Any:
    if isinstance(out, Told):
        return out.schema
    return out(many=True) if out and many else out


def drawn(out: Shape, found: Any, *, viewer: User, many: bool = False, context: Mapping[str, Any] | None = None) -> Any:
    """`found` as `out` draws it; it is told in its context who looks at it (`viewer`)."""
    if isinstance(out, Told):
        return out.draw(found)
    return out(found, many=many, context={"viewer": viewer, **(context or {})}).data


def resources(declared: Iterable[Operation | Read]) -> list[URLPattern]:
    """The REST addresses of what is declared; what has none is done on pages alone."""
    found: dict[str, dict[str, Operation | Read]] = {}
    for each in declared:
        found.setdefault(each.address, {})[each.method.lower()] = each
    return [pattern for address, verbs in found.items() if address for pattern in _resource(address, verbs)]


class _Resource(APIView):
    """A resource whose `verbs` are declared."""

    verbs: Mapping[str, Operation | Read]

    def finalize_response(self, request: Request, response: Any, *args: Any, **named: Any) -> Any:
        """Says of every answer of a deprecated verb, a refusal too, since when it is (RFC 9745)."""
        declared = self.verbs.get((request.method or "").lower())
        if declared is not None and declared.deprecated_since is not None:
            since = datetime.combine(declared.deprecated_since, time(), UTC)
            response["Deprecation"] = f"@{int(since.timestamp())}"
        return super().finalize_response(request, response, *args, **named)


def _resource(address: str, verbs: Mapping[str, Operation | Read]) -> list[URLPattern]:
    first = next(iter(verbs.values()))
    scopes = {each.scope for method, each in verbs.items() if method != "get"} or {first.scope}
    assert len(scopes) == 1, f"{address} has one scope, not {scopes}"
    plain = re.sub(r"<\w+:(\w+)>", r"\1", address)
    name = "".join(word.capitalize() for word in re.split(r"[^a-z]+", plain))
    tags = (first.tag,) if isinstance(first.tag, str) else first.tag
    says = {"__doc__": "", "tags": tags, "scope": scopes.pop(), "verbs": verbs}
    says["is_heavy"] = any(getattr(each, "is_heavy", False) for each in verbs.values())
    says["is_public"] = getattr(verbs.get("get"), "is_public", False)
    says["asks_factor"] = any(getattr(each, "asks_factor", False) for each in verbs.values())
    if getattr(verbs.get("get"), "paged", False):
        says["pagination_class"] = NewestFirst
    if first.known_by:
        says["authentication_classes"] = first.known_by
    handlers = {method: each.handler() for method, each in verbs.items()}
    return resource(address, type(f"{name}View", (_Resource,), says | handlers), name=f"api-{plain}")


class Post(Protocol):
    """A form that is a class: `cardroom.core.web.forms.PagePost`."""

    page: ClassVar[Page]
    does: ClassVar[Any]
    path: ClassVar[str]
    name: ClassVar[str]
    button: ClassVar[str]
    button_fields: ClassVar[tuple[str, ...]]
    asks_factor: ClassVar[bool]

    @classmethod
    def is_for(cls) -> tuple[str, ...]: ...

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse: ...

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse: ...


def pages(
    shown: Iterable[Page], declared: Iterable[Operation | Read] = (), posts: Iterable[type[Post]] = ()
) -> list[URLPattern]:
    """The addresses of a room's pages and of their forms: those of declared operations, and `posts`.

    They are tried in this order: an address without parameters comes before one whose parameter would take it.
    """
    found: dict[tuple[str, str], dict[str, Show]] = {}
    forms: dict[tuple[str, str], list[tuple[Operation, Form]]] = {}
    classes: dict[tuple[str, str], list[type[Post]]] = {}
    asking: set[str] = set()
    public: set[str] = set()
    shown = list(shown)
    staffs = {page.address for page in shown if page.roles}
    for page in shown:
        answer = by_room_clock(page.shown) if page.roles else page.shown
        found.setdefault((page.address, page.name), {})["GET"] = answer
        public |= {page.address} if page.is_public else set()
    for each in declared:
        for form in each.forms if isinstance(each, Operation) else ():
            assert isinstance(each, Operation)
            forms.setdefault((form.address, form.name), []).append((each, form))
            if each.asks_factor:
                asking.add(form.address)
    for post in posts:
        address = post.path or post.page.address
        classes.setdefault((address, post.name or post.page.name), []).append(post)
        asking |= {address} if post.asks_factor else set()
    for place, several in classes.items():
        answer = _one_of_posts(several)
        is_staffs = several[0].page.address in staffs
        found.setdefault(place, {})["POST"] = login_required(by_room_clock(answer) if is_staffs else answer)
    for place, posted in forms.items():
        answer = _posted(posted)
        if place in classes:
            answer = _of_both(classes[place], answer)
        is_staffs = posted[0][1].page.address in staffs
        found.setdefault(place, {})["POST"] = login_required(by_room_clock(answer) if is_staffs else answer)
    return [
        path(address, _by_method(verbs, asking=address in asking, is_public=address in public), name=name)
        for (address, name), verbs in found.items()
    ]


def _of_both(posts: list[type[Post]], of_declared: Show) -> Show:
    """Answers the forms of one address, of which some are declared otherwise."""
    of_posts, buttons = _one_of_posts(posts), {each.button for each in posts}

    def post(request: HttpRequest, **address: Any) -> HttpResponse:
        fields = (request.POST.get(field) for field in posts[0].button_fields)
        named = address.get("verb") or next(filter(None, fields), "")
        return (of_posts if named in buttons else of_declared)(request, **address)

    return post


def _one_of_posts(posts: list[type[Post]]) -> Show:
    """Answers the forms of one address: `verb` in the address, or a field of the form, says which of them."""
    if len(posts) == 1 and not posts[0].button:
        return lambda request, **address: posts[0]().post(request, **address)
    by_button = {each.button: each for each in posts}

    def post(request: HttpRequest, **address: Any) -> HttpResponse:
        fields = (request.POST.get(field) for field in posts[0].button_fields)
        named = address.get("verb") or next(filter(None, fields), "")
        found = by_button.get(named)
        if found is not None:
            return found().post(request, **address)
        page = posts[0].page
        page.allow(request.user)
        one_of(posts[0].is_for(), request.user)

        def refuse() -> HttpResponse:
            raise NotFound("no-such-verb", "There is no such action here.")

        def again(request: HttpRequest, *, refusal: Refusal, typed: Any) -> HttpResponse:
            return posts[0]().refused(request, refusal, **address)

        return refuse() if "verb" in address else attempt(request, refuse, again)

    return post


def _posted(forms: list[tuple[Operation, Form]]) -> Show:
    """Answers the forms of one address."""
    if len(forms) == 1 and not forms[0][1].verbs:
        return partial(forms[0][0].posted, forms[0][1])
    several = next(form for _, form in forms if form.verbs)
    by_verb = {verb: partial(each.posted, form) for each, form in forms for verb in form.verbs or ("",)}

    def post(request: HttpRequest, **address: Any) -> HttpResponse:
        operation, form = forms[0]
        form.page.allow(request.user)
        act = by_verb.get(several.verb_of(request, address))
        if act is not None:
            return act(request, **address)
        one_of(operation.roles, request.user)

        def refuse() -> HttpResponse:
            raise NotFound("no-such-verb", "There is no such action here.")

        return refuse() if "verb" in address else form.attempt(request, refuse, **address)

    return post


def _by_method(verbs: dict[str, Show], *, asking: bool, is_public: bool) -> Any:
    if "GET" in verbs:
        verbs = {**verbs, "HEAD": verbs["GET"]}

    @never_cache
    def answer(request: HttpRequest, **address: Any) -> HttpResponse:
        match = request.resolver_match
        if match is not None and match.kwargs != address:
            # Sent again after a second factor was shown: the address that was resolved is that of the factor's page.
            request.resolver_match = resolve(request.path_info)
        verb = verbs.get(request.method or "")
        return verb(request, **address) if verb else HttpResponseNotAllowed(list(verbs))

    view = answer if is_public else login_required(answer)
    return asks_factor(view) if asking else view


def went_to(request: HttpRequest, words: str, page: str, *address: Any, is_warning: bool = False) -> HttpResponse:
    """To a page, which says so at its top."""
    (messages.warning if is_warning else messages.success)(request, words)
    return redirect(page, *address)


def second_asked(request: HttpRequest, row: Approval, page: str, *address: Any) -> HttpResponse:
    """To `page`, which says that a second person was asked."""
    return went_to(request, approvals.sent(row), page, *address, is_warning=True)


def said(words: str | Callable[[Any], str], page: str, *parts: str) -> Then:
    """To `page`, which says at its top these words of what was made, or of the second person who is asked; of the
    form's address it takes these `parts`."""

    def then(request: HttpRequest, made: Any) -> HttpResponse:
        given = request.resolver_match.kwargs if request.resolver_match else {}
        address = [given[name] for name in parts]
        if isinstance(made, Approval) and not made.verdict:
            return second_asked(request, made, page, *address)
        return went_to(request, words(made) if callable(words) else filled(words, made), page, *address)

    return then


class Streamed(StreamingHttpResponse):
    """Parts that are made one at a time, in a thread beside the loop where the server asks for them from one."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts = iter(self.streaming_content)
        while part := await sync_to_async(heavy.next_part)(parts):
            yield part


def file_answer(file: File, *, is_saved: bool = False) -> HttpResponse | Streamed:
    """A PDF is shown, to be printed, unless it `is_saved` too; the rest is saved."""
    place = "inline" if file.content_type == PDF and not is_saved else "attachment"
    headers = {"Content-Disposition": f'{place}; filename="{file.name}"'}
    content = file.content
    if callable(content):
        content = heavy.work(content)
    if isinstance(content, bytes):
        return HttpResponse(content, content_type=file.content_type, headers=headers)
    first = heavy.first_part(content)
    return Streamed(chain([first], content), content_type=file.content_type, headers=headers)


def file_told(request: HttpRequest, made: File) -> HttpResponse:
    """The file that was made."""
    return file_answer(made)


def say_refusal(request: HttpRequest, refusal: Refusal | None) -> None:
    """Show a refusal at the top of the page."""
    if refusal:
        messages.error(request, refusal.message)


def asks_factor(view: Show) -> Show:
    """Have staff show their second factor again before whatever this view does; see `factors`."""
    view.asks_factor = True  # type: ignore[attr-defined]
    return view


def attempt(request: HttpRequest, act: Callable[[], HttpResponse], page: Show) -> HttpResponse:
    """Do it; refused, the page comes again with why, and with what was typed."""
    try:
        return act()
    except Refusal as refusal:
        answer = page(request, refusal=refusal, typed=request.POST)
        answer.status_code = refusal.status
        return answer


def refused(request: HttpRequest, *, refusal: Refusal, typed: Any, **address: Any) -> HttpResponse:
    """For a form after whose refusal no page is shown again: the refusal by itself, or a notice where htmx asked."""
    raise refusal


def key_in(typed: Mapping[str, Any], name: str = "key") -> str:
    """The idempotency key of the form; `Invalid` for anything else."""
    key = str(typed.get(name, ""))
    if not _PAGE_KEY.fullmatch(key):
        raise Invalid("bad-key", "This page is damaged: reload it.")
    return key
