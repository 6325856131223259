"""The addresses of a room's pages and of their forms."""

from collections.abc import Iterable

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, path, resolve
from django.views.decorators.cache import never_cache

from cardroom.core import access
from cardroom.core.errors import NotFound
from cardroom.core.web.forms import PagePost
from cardroom.core.web.pages import Page, View, asks_factor
from cardroom.core.web.parts import by_room_clock

#: An address and its name.
Place = tuple[str, str]


def page_urls(pages: Iterable[Page], forms: Iterable[type[PagePost]] = ()) -> list[URLPattern]:
    """The addresses of these pages and forms; what has the same address is one view, by the method of the request.

    They are tried in this order: an address without parameters comes before one whose parameter would take it.
    """
    views: dict[Place, dict[str, View]] = {}
    pages = list(pages)
    for page in pages:
        views.setdefault((page.address, page.name), {})["GET"] = by_room_clock(page.shown) if page.roles else page.shown
    public = {page.address for page in pages if page.is_public}
    of_staff = {page.address for page in pages if page.roles}
    asking = set()
    for place, forms_there in _by_place(forms).items():
        view = _view_of(forms_there)
        if forms_there[0].page.address in of_staff:
            view = by_room_clock(view)
        views.setdefault(place, {})["POST"] = login_required(view)
        if any(form.asks_factor for form in forms_there):
            asking.add(place[0])
    return [
        path(address, _by_method(methods, is_asking=address in asking, is_public=address in public), name=name)
        for (address, name), methods in views.items()
    ]


def _by_place(forms: Iterable[type[PagePost]]) -> dict[Place, list[type[PagePost]]]:
    places: dict[Place, list[type[PagePost]]] = {}
    for form in forms:
        places.setdefault((form.path or form.page.address, form.name or form.page.name), []).append(form)
    return places


def _view_of(forms: list[type[PagePost]]) -> View:
    """Answers the forms of one address: `verb` in the address, or a field of the form, says which of them."""
    first = forms[0]
    if len(forms) == 1 and not first.button:
        return lambda request, **address: first().post(request, **address)
    by_button = {form.button: form for form in forms}

    def post(request: HttpRequest, **address: object) -> HttpResponse:
        fields = (request.POST.get(field) for field in first.button_fields)
        button = address.get("verb") or next(filter(None, fields), "")
        form = by_button.get(str(button))
        if form is not None:
            return form().post(request, **address)
        first.page.allow(request.user)
        access.require_any_role(request.user, first.is_for())
        refusal = NotFound("no-such-verb", "There is no such action here.")
        if "verb" in address:
            raise refusal
        return first().answer_refusal(request, refusal, **address)

    return post


def _by_method(methods: dict[str, View], *, is_asking: bool, is_public: bool) -> View:
    if "GET" in methods:
        methods = {**methods, "HEAD": methods["GET"]}

    @never_cache
    def answer(request: HttpRequest, **address: object) -> HttpResponse:
        match = request.resolver_match
        if match is not None and match.kwargs != address:
            # Sent again after a second factor was shown: the address that was resolved is that of the factor's page.
            request.resolver_match = resolve(request.path_info)
        view = methods.get(request.method or "")
        return view(request, **address) if view else HttpResponseNotAllowed(list(methods))

    view = answer if is_public else login_required(answer)
    return asks_factor(view) if is_asking else view
