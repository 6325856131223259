"""The forms of pages with the same arguments as the API: each calls one verb, or a function that picks one, and its
fields are read off the signature.

A form with other fields is a plain view that calls the verb.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.functional import Promise

from cardroom.core import access
from cardroom.core.errors import Invalid, Refusal
from cardroom.core.web.api import bodies
from cardroom.core.web.api.fields import RequestBody
from cardroom.core.web.pages import Page

_PAGE_KEY = re.compile("[A-Za-z0-9_.:-]{0,60}")


class PagePost:
    """One form of a page, for everybody who may see the page. After a refusal the page is shown again with the refusal
    and the typed values; after success with the message `then`.

    `path` and `name` are those of the page unless the form has an address of its own. Where several forms have one
    address, `button` is what one of the `button_fields` holds for this one.
    """

    page: ClassVar[Page]
    #: A verb, or a function that calls one with its `key`.
    does: ClassVar[Callable[..., Any]]
    path: ClassVar[str] = ""
    name: ClassVar[str] = ""
    button: ClassVar[str] = ""
    #: The fields of the form that may hold it.
    button_fields: ClassVar[tuple[str, ...]] = ("verb", "what")
    #: One of these is needed; none: one of those of the verb.
    roles: ClassVar[tuple[str, ...]] = ()
    #: The fields of the form, where the signature alone cannot say them.
    body: ClassVar[type[RequestBody] | None] = None
    #: The field that holds the key.
    key_name: ClassVar[str] = "key"
    then: ClassVar[str | Promise] = ""
    #: Whether staff show their second factor again before it: see `cardroom.core.step_up`.
    asks_factor: ClassVar[bool] = False

    def typed(self, form: QueryDict) -> QueryDict:
        """The typed values under the names of the verb's arguments. Override it where the form has other fields."""
        return form

    def of_request(self, request: HttpRequest) -> Mapping[str, Any]:
        """Arguments of the verb from the request itself, such as its session."""
        return {}

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        """Where to go on to. Override it for another page, or for a part of one."""
        return self.page.say(request, str(self.then), result)

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        """The page again, after a refusal. Override it where the form belongs to a part of a page."""
        return self.page.drawn(request, refusal=refusal, typed=request.POST, **address)

    @classmethod
    def is_for(cls) -> tuple[str, ...]:
        """The roles of which one is needed; none: being logged in is enough."""
        return cls.roles or getattr(cls.does, "roles", ())

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Answer the form."""
        self.page.allow(request.user)
        service = type(self).does
        by = access.require_any_role(request.user, self.is_for())
        address.pop("verb", None)
        try:
            arguments = self.arguments(request.POST, address) | self.of_request(request)
            result = bodies.call(service, key_in(request.POST, self.key_name), by=by, **arguments)
            return self.done(request, result)
        except Refusal as refusal:
            return self.answer_refusal(request, refusal, **address)

    def answer_refusal(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        """What is shown after this refusal, with its status."""
        answer = self.refused(request, refusal, **address)
        answer.status_code = refusal.status
        return answer

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        """The arguments of the verb, from the form and its address. A parameter of the resource's address may be a
        field of the form, with `_id` behind its name."""
        service = type(self).does
        of_address = bodies.arguments_of(service, address)
        path = self.path or self.page.address
        body = self.body or bodies.body_of(service, type(self).__name__, path=path)
        if body is None:
            return of_address
        typed = self.typed(form.copy())
        for name in map(str, body().fields):
            if name not in typed and (number := typed.get(f"{name}_id")) is not None:
                typed[name] = number
        return body.typed(typed) | of_address


class PlainPost(PagePost):
    """A form after whose refusal no page is shown again: the refusal by itself, or a notice where htmx asked."""

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        raise refusal


def key_in(typed: Mapping[str, Any], name: str = "key") -> str:
    """The idempotency key of the form; `Invalid` for anything else."""
    key = str(typed.get(name, ""))
    if not _PAGE_KEY.fullmatch(key):
        raise Invalid("bad-key", "This page is damaged: reload it.")
    return key
