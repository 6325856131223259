"""The ruling desk: what happened, a few questions, and the ruling. All of it is in the address, so it can be passed on.

Works without scripts: every change of the form is a page of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from cardroom.services.errors import Invalid
from games.selectors import rulebooks as books
from games.services import desk

#: So many options stand side by side; more go into a list.
_FEW = 4


@dataclass(frozen=True)
class Option:
    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class Field:
    """One thing asked, as the form shows it. `value` is what was answered, or what is supposed until then."""

    name: str
    label: str
    kind: str
    value: Any
    options: list[Option]
    least: int | None
    most: int | None

    @property
    def is_short(self) -> bool:
        return len(self.options) <= _FEW


@require_safe
@vary_on_headers("HX-Request")
def page(request: HttpRequest) -> HttpResponse:
    """What can have happened; or, with `?what=` and the answers, the ruling."""
    given = request.GET.dict()
    if any("\0" in value for value in given.values()):
        raise Invalid("There is a character in this address that cannot be.", "bad-address")
    given.pop("seed", None)  # the address says what happened, not which cards happen to lie there
    what, book = given.pop("what", ""), given.pop("rulebook", "")
    if not what:
        return render(request, "games/desk.html", {"groups": _groups(), "rulebook": book})
    question = desk.question(what)
    context: dict[str, Any] = {"question": question, "wrong_field": ""}
    status = 200
    try:
        answer = desk.answer(what=what, rulebook=book or desk.DEFAULT_BOOK, **given)
        context |= {"answer": answer, "book": book or desk.DEFAULT_BOOK}
        answers: Mapping[str, Any] = answer.answers
    except Invalid as error:
        status = error.status
        context |= {"refusal": error, "wrong_field": error.details.get("field", "")}
        answers = _readable(what, given)
    context["asks"] = [_books(book), *(_field(ask, answers) for ask in desk.asks_of(what) if ask.name in answers)]
    is_part = request.htmx and not request.htmx.history_restore_request
    return render(request, "games/_desk.html" if is_part else "games/desk.html", context, status=status)


def _groups() -> list[dict[str, Any]]:
    in_groups = groupby(desk.QUESTIONS, key=lambda question: question.group)
    return [{"title": title, "questions": list(questions)} for title, questions in in_groups]


def _readable(what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The answers that make sense; the others as they are usual."""
    answers: dict[str, Any] = {}
    for ask in desk.asks_of(what):
        if ask.is_asked(answers):
            try:
                answers = desk.read(what, {**answers, ask.name: given.get(ask.name)})
            except Invalid:
                answers[ask.name] = ask.default
    return answers


def _books(chosen: str) -> Field:
    chosen = chosen or desk.DEFAULT_BOOK
    options = [Option(slug, title, slug == chosen) for slug, title in books.choices()]
    return Field("rulebook", "Rulebook", "choice", chosen, options, None, None)


def _field(ask: desk.Ask, answers: Mapping[str, Any]) -> Field:
    value = answers[ask.name]
    options = [Option(option, label, option == value) for option, label in ask.options]
    is_number = ask.kind == "number"
    return Field(
        ask.name, ask.label, ask.kind, value, options, ask.least if is_number else None, ask.most if is_number else None
    )
