"""Everything that was done in an event, with who did it and what was undone."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardroom.models import User
from cardroom.services import access
from tournaments.selectors import tournaments as listing
from tournaments.services import staff
from tournaments.web.views import event_of

ACTIONS_A_PAGE = 100


@login_required
@never_cache
@require_safe
def log(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """`?page=` further back."""
    access.require_role(request.user, *staff.DIRECTORS)
    row = event_of(request, tournament_id)
    page = Paginator(listing.log(row), ACTIONS_A_PAGE).get_page(request.GET.get("page"))
    names = dict(User.objects.filter(pk__in={each.by for each in page if each.by}).values_list("pk", "username"))
    actions = [(each, names.get(each.by or 0, "the house")) for each in page]
    return render(request, "tournaments/run/log.html", {"tournament": row, "page": page, "actions": actions})
