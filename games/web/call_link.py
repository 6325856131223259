"""The page behind the link of a call: who is called where until when, and three answers. Nobody has to log in."""

import secrets

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from cardroom.services.errors import CardroomError
from games.services import lists
from games.services.lists import call_links


@csrf_exempt  # the link itself is the secret, and a browser that opens it from a message may keep no cookie
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, token: str) -> HttpResponse:
    """A GET changes nothing. A POST answers with `reply`; what is refused is said on the page."""
    found = call_links.entry_of(token)
    if found is None:
        raise Http404
    (entry, is_good), now = found, timezone.now()
    if entry.call_until is not None and entry.call_until <= now:
        is_good = False
    refusal, status = "", 200 if is_good else 410
    if request.method == "POST" and is_good:
        try:
            reply, key = request.POST.get("reply", ""), request.POST.get("key", "")[:60]
            lists.answer(entry_id=entry.pk, player=entry.player, reply=reply, key=key)
            return redirect("call_link", token)
        except CardroomError as error:
            refusal, status = error.message, error.status
    context = {"entry": entry, "is_good": is_good, "refusal": refusal, "key": secrets.token_urlsafe(12)}
    return render(request, "games/lists/call_link.html", context, status=status)
