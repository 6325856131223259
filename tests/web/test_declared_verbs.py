"""What an `Operation` and a `Read` say of themselves is what their pages and resources do."""

from typing import Any

from django.http import HttpResponse, QueryDict
from django.test import RequestFactory
from rest_framework import serializers
from rest_framework.test import APIRequestFactory

from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Order, Text, WholeNumber
from cardroom.core.web.operations import Form, Operation, Page, Read, Told

PAGE = Page("till/", "till", lambda request, **more: HttpResponse("till"))


class Hundreds(WholeNumber):
    """On a page people write hundreds."""

    def said(self, words: str) -> int:
        return 100 * int(words or 1)


class PayOrder(Order):
    amount = Hundreds()
    reason = Text(required=False, allow_blank=True)


def verb(name: str, **more: Any) -> Operation:
    form = Form("till/do/", "till_do", PAGE, lambda request, made: HttpResponse(repr(made)), verbs={name: {}})
    given = {"summary": name, "address": f"till/{name}", "tag": "till", "form": form, "does": lambda **asked: asked}
    return Operation(name=name, **given | more)


def posted(view: Any, user: User, **form: str) -> str:
    request = RequestFactory().post("/", form)
    request.user = user
    return view(request).content.decode()


def test_a_page_of_several_verbs_asks_for_the_factor_before_those_that_say_so():
    declared = [verb("look"), verb("pay", order=PayOrder, keyed=True, key_name="command_id", asks_factor=True)]
    (_, view) = (pattern.callback for pattern in of.pages([PAGE], declared))
    assert view.asks_factor == {"pay"}
    user = User(pk=1, username="ann")
    assert "'by': <User: ann>, 'command_id': 'k'" in posted(view, user, verb="pay", amount="2", command_id="k")
    assert posted(view, user, verb="look") == "{'by': <User: ann>}"
    assert posted(view, user, verb="rob") == "till", "the page comes again"


def test_a_field_may_take_its_words_in_a_way_of_its_own_and_a_blank_is_said_where_it_may_be():
    assert PayOrder.typed({"amount": "2", "reason": ""}) == {"amount": 200, "reason": ""}
    assert PayOrder.typed({"amount": ""}) == {"amount": 100}


def test_a_form_says_lists_and_nested_fields():
    class Split(Order):
        to = serializers.ListField(child=WholeNumber())
        what = PayOrder()

    assert Split.typed(QueryDict("to=1&to=2&amount=3")) == {"to": [1, 2], "what": {"amount": 300}}


def test_what_no_serializer_draws_is_told_as_it_says():
    sums = Told({"type": "integer"}, sum)
    given = {"name": "sum", "summary": "Sum", "address": "till/sum", "tag": "till", "is_public": True}
    (pattern, _) = of.resources([Read(finds=lambda by: [1, 2], out=sums, **given)])
    assert pattern.callback(APIRequestFactory().get("/")).data == 3
