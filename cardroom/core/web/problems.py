"""How a refusal leaves the server: a page for people, problem+json (RFC 9457) for programs, one status for both.

The API's views answer through `exception_handler`, pages through `ProblemMiddleware`, and what matches no view or
broke down through the four handlers at the end, which the root URLs name. Nothing here shows a traceback.

The handlers do without Django's `requires_csrf_token`, which reads the body: of what could not be read it would make a
fault of ours. The token of a page that is shown is read before any view is looked for.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from math import ceil
from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.serializers.json import DjangoJSONEncoder
from django.db import InterfaceError, InternalError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template import TemplateDoesNotExist
from django.template.loader import get_template, select_template
from django.utils.deprecation import MiddlewareMixin
from django.utils.html import escape
from django.utils.translation import get_language, get_language_from_request, gettext, gettext_noop, override
from redis import RedisError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from cardroom.core.errors import Busy, Refusal

log = structlog.get_logger(__name__)

PROBLEM_JSON = "application/problem+json"
RETRY_SOON = {"Retry-After": "2"}
AWAY = (OperationalError, InterfaceError, RedisError)  # Redis counts how often somebody tries to log in
#: The code where each field is well formed, and they do not go together.
TOGETHER = "fields-together"
#: What PostgreSQL calls a statement that would write where nothing can be written.
_READ_ONLY = "25006"
_API, _DOCS = "/api/", "/api/docs/"
#: No row has a larger number: no database holds it.
_LARGEST_ID = 2**63 - 1
#: What `HTTPStatus` calls those that are answered.
_TITLES = (
    gettext_noop("Bad Request"),
    gettext_noop("Unauthorized"),
    gettext_noop("Forbidden"),
    gettext_noop("Not Found"),
    gettext_noop("Method Not Allowed"),
    gettext_noop("Not Acceptable"),
    gettext_noop("Conflict"),
    gettext_noop("Request Entity Too Large"),
    gettext_noop("Content Too Large"),
    gettext_noop("Unsupported Media Type"),
    gettext_noop("Unprocessable Entity"),
    gettext_noop("Unprocessable Content"),
    gettext_noop("Too Many Requests"),
    gettext_noop("Internal Server Error"),
    gettext_noop("Service Unavailable"),
)

Problem = dict[str, Any]


def problem_of(error: Refusal, path: str) -> Problem:
    """The body of a problem+json answer: RFC 9457's members, then `code`, `rule` and what else the refusal tells."""
    problem = _problem(error.status, error.message, error.code, path)
    problem["rule"] = error.rule
    return problem | {key: value for key, value in error.values.items() if key not in problem}


def is_away(error: BaseException | None) -> bool:
    """Whether the database or Redis does not answer, has no connection left for this request, or cannot be written."""
    is_read_only = isinstance(error, InternalError) and getattr(error.__cause__, "sqlstate", "") == _READ_ONLY
    return isinstance(error, AWAY) or is_read_only


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """Django REST Framework's EXCEPTION_HANDLER. None, which becomes a 500, for what is no refusal but a fault."""
    request = context.get("request")
    path = request.path if request else ""
    headers: dict[str, str] = {}
    if isinstance(exc, Refusal):
        problem, headers = problem_of(exc, path), _retry(exc)
    elif is_away(exc):
        problem, headers = _unreachable(exc, path), RETRY_SOON
    elif isinstance(exc, Http404):
        problem = _problem(404, gettext("There is no such page, or you may not see it."), "not-found", path)
    elif isinstance(exc, PermissionDenied):
        problem = _problem(403, str(exc) or gettext("You may not do this."), "forbidden", path)
    elif isinstance(exc, exceptions.APIException):
        problem, headers = _framework_problem(exc, path)
    else:
        return None
    set_rollback()
    return Response(problem, status=problem["status"], headers=headers, content_type=PROBLEM_JSON)


class ProblemMiddleware(MiddlewareMixin):
    """Turns a refusal that a page's view raised into a page, or JSON, with its message."""

    def process_view(self, request: HttpRequest, view: Any, args: Any, address: Mapping[str, Any]) -> None:
        if any(isinstance(part, int) and part > _LARGEST_ID for part in address.values()):
            raise Http404

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Busy):  # without the menus: they would ask the database, for a page that says no
            return _plain(request, problem_of(exception, request.path), _retry(exception))
        if isinstance(exception, Refusal):
            refused = answer(request, problem_of(exception, request.path))
            for name, value in _retry(exception).items():
                refused[name] = value
            return refused
        if is_away(exception):
            # A full page would ask the database for its reader, and the database does not answer.
            return _plain(request, _unreachable(exception, request.path), RETRY_SOON)
        return None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """An address that only takes forms answers a GET with a page that says so: it may be an old link."""
        if request.method != "GET" or response.status_code != 405 or response.streaming or response.content:
            return response
        detail = gettext("There is nothing to see at this address: go back to the page you came from.")
        page = answer(request, _problem(405, detail, "method-not-allowed", request.path))
        page.headers["Allow"] = response.headers["Allow"]
        return page


def answer(request: HttpRequest, problem: Problem) -> HttpResponse:
    """The problem as JSON for the API and for clients that do not accept HTML, else as a page."""
    status = problem["status"]
    if _wants_json(request):
        return HttpResponse(json.dumps(problem, cls=DjangoJSONEncoder), status=status, content_type=PROBLEM_JSON)
    is_fragment = bool(getattr(request, "htmx", False))
    names = ["_problem.html"] if is_fragment else [f"{status}.html", "problem.html"]
    context = {"problem": problem, "exception": problem["detail"]}
    try:
        page = select_template(names).render(context, request)
    except TemplateDoesNotExist:
        page = _bare_page(problem)
    return HttpResponse(page, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponseBase:
    """handler400. Django's own words stay out: they quote what was sent. The page is drawn without the request: what
    could not be read once, its host or its body, would be read again. A wrong host is seen before who is asking, and is
    told in the language of the browser."""
    spoken = get_language() if hasattr(request, "user") else get_language_from_request(request)
    with override(spoken):
        return _plain(request, _problem(400, gettext("The request is malformed."), "bad-request", request.path))


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponseBase:
    """handler403."""
    detail = str(exception) if exception else ""
    return answer(request, _problem(403, detail or gettext("You may not do this."), "forbidden", request.path))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponseBase:
    """handler404. The same words for what is hidden and for what does not exist."""
    detail = gettext("There is no such page, or you may not see it.")
    return answer(request, _problem(404, detail, "not-found", request.path))


def server_error(request: HttpRequest) -> HttpResponseBase:
    """handler500. The database may be what broke, so the page is drawn without asking it who is looking. Where it had
    no connection for a middleware, or for a page that refuses, it is busy here too."""
    error = sys.exc_info()[1]
    if error is not None and is_away(error):
        return _plain(request, _unreachable(error, request.path), RETRY_SOON)
    problem = _problem(500, gettext("Server error. Your chips are safe; try again."), "fault", request.path)
    return _plain(request, problem)


def _plain(request: HttpRequest, problem: Problem, headers: dict[str, str] | None = None) -> HttpResponse:
    """The answer of last resort: "400.html" or "500.html", drawn without the request."""
    if _wants_json(request):
        return HttpResponse(
            json.dumps(problem, cls=DjangoJSONEncoder),
            status=problem["status"],
            headers=headers,
            content_type=PROBLEM_JSON,
        )
    try:
        template = get_template("400.html" if problem["status"] == 400 else "500.html")
        page = template.render({"problem": problem, "language": get_language()})
    except Exception:
        page = _bare_page(problem)
    return HttpResponse(page, status=problem["status"], headers=headers)


def _retry(refusal: Refusal) -> dict[str, str]:
    return {} if refusal.retry_after is None else {"Retry-After": str(refusal.retry_after)}


def _wants_json(request: HttpRequest) -> bool:
    is_program = request.path.startswith(_API) and not request.path.startswith(_DOCS)
    return is_program or not request.accepts("text/html")


def _unreachable(error: BaseException, path: str) -> Problem:
    is_redis = isinstance(error, RedisError)
    log.warning(
        "Redis did not answer" if is_redis else "database did not answer",
        error=type(error.__cause__ or error).__name__,
        path=path,
    )
    detail = gettext("The room's database does not answer, or is busy. Nothing has changed; try again in a moment.")
    if is_redis:
        detail = gettext("A part of the room does not answer, or is busy. Nothing has changed; try again in a moment.")
    return _problem(503, detail, "busy", path)


def _problem(status: int, detail: str, code: str, path: str) -> Problem:
    return {
        "type": "about:blank",
        "title": gettext(HTTPStatus(status).phrase),
        "status": status,
        "detail": detail,
        "code": code,
        "instance": path,
    }


def _framework_problem(exc: exceptions.APIException, path: str) -> tuple[Problem, dict[str, str]]:
    headers = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = str(challenge)
    if (wait := getattr(exc, "wait", None)) is not None:
        headers["Retry-After"] = str(max(1, ceil(wait)))  # never before it is time
    if isinstance(exc.detail, list | dict):
        problem = _problem(exc.status_code, _first_words(exc.detail), exc.default_code, path)
        problem["errors"] = exc.detail
        if set(_codes(exc.detail)) == {TOGETHER}:
            problem["code"] = TOGETHER
    else:
        problem = _problem(exc.status_code, str(exc.detail), exc.detail.code or exc.default_code, path)
    problem["code"] = problem["code"].replace("_", "-")
    return problem, headers


def _codes(detail: Any) -> Iterator[str]:
    if isinstance(detail, dict | list):
        for inner in detail.values() if isinstance(detail, dict) else detail:
            yield from _codes(inner)
    else:
        yield getattr(detail, "code", "")


def _first_words(detail: Any, field: str = "") -> str:
    """The first complaint of a form or serializer, after the field it is about: "amount: A valid integer is…"."""
    if isinstance(detail, dict) and detail:
        name, inner = next(iter(detail.items()))
        return _first_words(inner, "" if name == "non_field_errors" else f"{field}{name}: ")
    if isinstance(detail, list) and detail:
        return _first_words(next((item for item in detail if item), ""), field)
    return f"{field}{detail}"


def _bare_page(problem: Problem) -> str:
    title, detail, rule = (escape(problem.get(key) or "") for key in ("title", "detail", "rule"))
    cited = f"<p>{rule}</p>" if rule else ""
    language, lobby = get_language() or settings.LANGUAGE_CODE, escape(gettext("To the lobby"))
    return (
        f'<!doctype html><html lang="{language}"><title>{title}</title><h1>{title}</h1><p>{detail}</p>{cited}'
        f'<p><a href="/">{lobby}</a></p></html>'
    )
