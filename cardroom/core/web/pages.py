"""What a page is: an address that shows something, and where its forms lead. Its addresses: `page_urls`."""

from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from cardroom.core import access, approvals
from cardroom.core.errors import Refusal
from cardroom.core.models import Approval
from cardroom.core.sentences import filled
from cardroom.core.web import heavy
from cardroom.core.web.api import bodies

#: What a template is told.
Context = dict[str, Any]
#: A view of Django.
View = Callable[..., HttpResponse]
#: Where a form leads, with the result of its verb.
NextPage = Callable[[HttpRequest, Any], HttpResponse]


@dataclass(frozen=True)
class Page:
    """An address that shows something, by `show(request, **address)`. It is for people with one of these roles or,
    where there are none, for anybody who is logged in; for everybody where it `is_public`. Where it has a `template`,
    `show` answers with its context, to which are added a fresh `key` and, after a refusal, the `refusal` and what was
    `typed`; or with another page. A refusal stands where the template puts it or, where the page `says_refusals`, among
    the messages at its top. What takes long `is_heavy`."""

    address: str
    name: str
    show: Callable[..., HttpResponse | Context]
    roles: tuple[str, ...] = ()
    is_public: bool = False
    template: str = ""
    says_refusals: bool = False
    is_heavy: bool = False

    def allow(self, user: Any) -> None:
        """Refuses (`Forbidden`) a user to whom the page is not shown."""
        if self.roles:
            access.require_role(user, *self.roles)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parameters in its address."""
        return bodies.parts_of(self.address)

    def shown(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """The page, for a user to whom it is shown."""
        self.allow(request.user)
        if self.is_heavy:
            return heavy.work(self.drawn, request, **address)
        return self.drawn(request, **address)

    def drawn(
        self, request: HttpRequest, *, refusal: Refusal | None = None, typed: Any = None, **address: Any
    ) -> HttpResponse:
        """The page at this address; after a refusal, with the `refusal` and what was `typed`."""
        if not self.template:
            after_refusal = {} if refusal is None else {"refusal": refusal, "typed": typed}
            return self.show(request, **address, **after_refusal)  # type: ignore[return-value]
        if self.says_refusals:
            say_refusal(request, refusal)
        context = self.show(request, **{name: address[name] for name in self.parts})
        if isinstance(context, HttpResponse):
            return context
        shared = {"typed": typed or {}, "key": token_urlsafe(12)}
        if not self.says_refusals:
            shared["refusal"] = refusal
        return render(request, self.template, shared | context)

    def say(self, request: HttpRequest, words: str | Callable[[Any], str], result: Any) -> HttpResponse:
        """To this page, which says at its top these words of the result, or of the second person who is asked."""
        arguments = request.resolver_match.kwargs if request.resolver_match else {}
        address = [arguments[name] for name in self.parts]
        if isinstance(result, Approval) and not result.verdict:
            return second_asked(request, result, self.name, *address)
        return went_to(request, words(result) if callable(words) else filled(words, result), self.name, *address)


def went_to(request: HttpRequest, words: str, page: str, *address: Any, is_warning: bool = False) -> HttpResponse:
    """To a page, which says so at its top."""
    (messages.warning if is_warning else messages.success)(request, words)
    return redirect(page, *address)


def second_asked(request: HttpRequest, row: Approval, page: str, *address: Any) -> HttpResponse:
    """To `page`, which says that a second person was asked."""
    return went_to(request, approvals.request_message(row), page, *address, is_warning=True)


def say_refusal(request: HttpRequest, refusal: Refusal | None) -> None:
    """Show a refusal at the top of the page."""
    if refusal:
        messages.error(request, refusal.message)


def asks_factor(view: View) -> View:
    """Have staff show their second factor again before anything that this view does; see `cardroom.core.step_up`."""
    view.asks_factor = True  # type: ignore[attr-defined]
    return view
