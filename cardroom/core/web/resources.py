"""One class an address, with a method for each thing that can be done there.

    class Chat(Resource):
        path, tags = "chat", ("chat",)
        get = reads(newest, name="chat", summary="The lobby chat", answers=Line)
        post = does(chat.say, name="say", summary="Send a message", answers=Line, status=201, refuses=(404, 409))

`does` takes a verb, `reads` a function that looks something up; what each of them asks for is read off its signature.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from inspect import signature
from typing import Any, ClassVar

from django.urls import URLPattern
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.core import access
from cardroom.core.documents import PDF, File
from cardroom.core.models import Approval, User
from cardroom.core.web import heavy
from cardroom.core.web.api import bodies, keys, routes
from cardroom.core.web.api.access import asker, require_scope
from cardroom.core.web.api.answers import Answer, answer_data, answer_schema
from cardroom.core.web.api.fields import NoBody, Query, RequestBody
from cardroom.core.web.api.routes import NewestFirst
from cardroom.core.web.api.schema import refusals
from cardroom.core.web.file_answers import file_answer


@dataclass(frozen=True, kw_only=True)
class _Method:
    """`name` is the operation's id in the OpenAPI document; `answers` draws the result, None: nothing is answered, or
    a file of these `media` types, each with what it holds."""

    service: Callable[..., Any]
    name: str
    summary: str
    description: str = ""
    answers: Answer | None = None
    many: bool = False
    media: Mapping[str, str] = field(default_factory=dict)
    refuses: tuple[int, ...] = ()
    #: One of these is needed, or of those of the verb; none: anybody who is logged in.
    roles: tuple[str, ...] = ()
    deprecated_since: date | None = None
    #: Whether a token is a way to ask at all.
    by_token: bool = True
    #: What `answers` has to know beside the result and who asks.
    context: Callable[[User, Any], Mapping[str, Any]] = field(default=lambda by, result: {})

    @property
    def is_for(self) -> tuple[str, ...]:
        """The roles of which one is needed."""
        return self.roles or getattr(self.service, "roles", ())

    @property
    def class_name(self) -> str:
        """`say_at_table` is `SayAtTable` where its body or query has a name."""
        return "".join(word.capitalize() for word in self.name.split("_"))

    def described(self, handler: Any, *, responses: dict[Any, Any], **more: Any) -> Any:
        """The handler with its entry in the OpenAPI document."""
        files = {
            (200, media): OpenApiResponse(OpenApiTypes.BINARY if media == PDF else OpenApiTypes.STR, description=words)
            for media, words in self.media.items()
        }
        return extend_schema(
            operation_id=self.name,
            summary=self.summary,
            description=self.description,
            responses=responses | files | refusals(*self.refuses),
            deprecated=self.deprecated_since is not None or None,
            **more,
        )(handler)


@dataclass(frozen=True, kw_only=True)
class Does(_Method):
    """Answers with `shown(result, by)`, as `answers` draws it. Where a second person may be asked, `waiting` draws the
    approval, with `waiting_status`; where it is the same shape as `answers`, it draws what is `shown`. `is_waiting`
    tells the results apart."""

    status: int = 200
    shown: Callable[[Any, User], Any] = field(default=lambda result, by: result)
    waiting: Answer | None = None
    waiting_status: int = 202
    is_waiting: Callable[[Any], bool] = field(default=lambda result: isinstance(result, Approval))
    #: The body of the request, where the signature alone cannot say it.
    body: type[RequestBody] | None = None
    #: The scope that a token needs, of the caller, the address and the body: where it depends on whose the thing is.
    needs: Callable[[User, Mapping[str, Any]], str] | None = None
    #: Arguments of the verb from the request itself, such as its session.
    of_request: Callable[[Request], Mapping[str, Any]] = field(default=lambda request: {})

    def handler(self, path: str, method: str) -> Any:
        """The method of the class."""
        body = self.body or bodies.body_of(self.service, self.class_name, path=path, is_change=method == "patch")

        def handle(view: APIView, request: Request, **address: Any) -> Any:
            by = access.require_any_role(asker(request), self.is_for)
            arguments = (body.read(request) if body else {}) | bodies.arguments_of(self.service, address)
            if self.needs:
                require_scope(request, self.needs(by, arguments))
            arguments |= self.of_request(request)
            key = keys.key_of(request) if bodies.takes_key(self.service) else ""
            result = bodies.call(self.service, key, by=by, **arguments)
            if isinstance(result, File):
                return file_answer(result)
            return self._answer(result, by)

        responses = {} if self.media else {self.status: answer_schema(self.answers, many=self.many)}
        responses |= {self.waiting_status: self.waiting} if self.waiting else {}
        more = {"parameters": [keys.PARAMETER]} if bodies.takes_key(self.service) else {}
        is_empty = body is None or issubclass(body, NoBody)
        return self.described(handle, request=None if is_empty else body, responses=responses, **more)

    def _answer(self, result: Any, by: User) -> Response:
        is_waiting = self.waiting is not None and self.is_waiting(result)
        status = self.waiting_status if is_waiting else self.status
        if self.answers is None:
            return Response(status=status)
        if is_waiting and self.waiting is not self.answers:
            return Response(answer_data(self.waiting, result, viewer=by), status=status)  # type: ignore[arg-type]
        shown, context = self.shown(result, by), self.context(by, result)
        return Response(answer_data(self.answers, shown, viewer=by, many=self.many, context=context), status=status)


@dataclass(frozen=True, kw_only=True)
class Reads(_Method):
    """A function with `before` and `limit` gives a list in pages, by the `number` of its rows."""

    number: Callable[[Any], int] = field(default=lambda row: row.pk)
    #: What may stand after the `?`, where the signature alone cannot say it.
    query: type[Query] | None = None
    is_public: bool = False
    #: Whether a PDF is saved, as other files are, and not shown.
    is_saved: bool = False
    #: Whether finding it takes long.
    is_heavy: bool = False

    @property
    def paged(self) -> bool:
        """Whether it is a list that comes in pages."""
        return {"before", "limit"} <= set(signature(self.service).parameters)

    def handler(self, path: str, method: str) -> Any:
        """The method of the class."""
        query = self.query or bodies.query_of(self.service, self.class_name, path=path)

        def handle(view: APIView, request: Request, **address: Any) -> Any:
            by: Any = request.user if self.is_public else access.require_any_role(asker(request), self.is_for)
            parameters = query.read(request) if query else {}
            arguments = bodies.arguments_of(self.service, address) | parameters
            if self.paged:
                arguments = {name: value for name, value in arguments.items() if name not in ("cursor", "limit")}

                def rows(before: int | None, limit: int) -> list[Any]:
                    return list(self.service(by=by, before=before, limit=limit, **arguments))

                results, later = NewestFirst().page(request, rows, number=self.number)
                assert self.answers is not None
                context = self.context(by, results)
                rows_shown = answer_data(self.answers, results, viewer=by, many=True, context=context)
                return Response({"next": later, "results": rows_shown})
            read = heavy.work if self.is_heavy else _do
            result = read(self.service, by=by, **arguments)
            if self.answers is None:
                return file_answer(result, is_saved=self.is_saved)
            context = self.context(by, result)
            return Response(answer_data(self.answers, result, viewer=by, many=self.many, context=context))

        responses = {200: answer_schema(self.answers, many=self.many or self.paged)} if self.answers else {}
        more = {"parameters": [query]} if query else {}
        return self.described(handle, request=None, responses=responses, **more)


def _do(service: Callable[..., Any], **arguments: Any) -> Any:
    return service(**arguments)


def does(service: Callable[..., Any], *, name: str, summary: str, **more: Any) -> Any:
    """A method that calls a verb; see `Does`."""
    return Does(service=service, name=name, summary=summary, **more)


def reads(service: Callable[..., Any], *, name: str, summary: str, **more: Any) -> Any:
    """A method that looks something up; see `Reads`."""
    return Reads(service=service, name=name, summary=summary, **more)


class Resource(APIView):
    """One address. Its methods are those of the class: `get`, `post`, `put`, `patch`, `delete`."""

    path: ClassVar[str] = ""
    tags: ClassVar[tuple[str, ...]] = ()
    #: What a token needs to change something here.
    scope: ClassVar[str | tuple[str, ...]] = "play"
    #: Whether staff show their second factor again before a change here: see `cardroom.core.step_up`.
    asks_factor: ClassVar[bool] = False
    is_public: ClassVar[bool] = False
    is_heavy: ClassVar[bool] = False
    #: What each method was declared as.
    verbs: ClassVar[Mapping[str, Does | Reads]] = {}

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        declared = {name: value for name, value in vars(cls).items() if isinstance(value, Does | Reads)}
        if not declared:
            return
        cls.verbs = declared
        for method, verb in declared.items():
            setattr(cls, method, verb.handler(cls.path, method))
        read = declared.get("get")
        if isinstance(read, Reads):
            cls.is_public, cls.is_heavy = read.is_public, read.is_heavy
            if read.paged:
                cls.pagination_class = NewestFirst  # type: ignore[attr-defined]

    def finalize_response(self, request: Request, response: Any, *args: Any, **named: Any) -> Any:
        """Says of every answer of a deprecated method, a refusal too, since when it is (RFC 9745)."""
        declared = self.verbs.get((request.method or "").lower())
        if declared is not None and declared.deprecated_since is not None:
            since = datetime.combine(declared.deprecated_since, time(), UTC)
            response["Deprecation"] = f"@{int(since.timestamp())}"
        return super().finalize_response(request, response, *args, **named)


def addresses(classes: Iterable[type[Resource]]) -> list[URLPattern]:
    """The addresses of these resources."""
    return [
        pattern
        for resource_class in classes
        for pattern in routes.resource(resource_class.path, resource_class, name=_name(resource_class.path))
    ]


def _name(path: str) -> str:
    return "api-" + re.sub(r"<\w+:(\w+)>", r"\1", path)
