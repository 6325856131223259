"""Pages of templates: events to be made again and again."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardroom.services import access
from cardroom.services.errors import CardroomError
from tournaments.models import Template
from tournaments.selectors import tournaments as listing
from tournaments.services import staff, templates
from tournaments.web.before import FORM, form_page, sent_form
from tournaments.web.before_draft import Draft


@login_required
@never_cache
@require_safe
def template_list(request: HttpRequest) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)
    found = Template.objects.filter(is_archived=False).order_by("name")
    return render(request, "tournaments/before/templates.html", {"templates": found})


@login_required
@never_cache
@require_http_methods(FORM)
def save_template(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """An event's terms under a name of their own."""
    access.require_role(request.user, *staff.DIRECTORS)
    row = listing.event(tournament_id, with_drafts=True)
    name, refusal = request.POST.get("name", row.name), None
    if request.method == "POST":
        try:
            made = templates.save_as(tournament_id=row.pk, by=request.user, name=name)
        except CardroomError as error:
            refusal = error
        else:
            messages.success(request, f"{made.name} is a template now.")
            return redirect("tournament_templates")
    context = {"tournament": row, "name": name, "refusal": refusal}
    return render(request, "tournaments/before/save_template.html", context, status=refusal.status if refusal else 200)


@login_required
@never_cache
@require_http_methods(FORM)
def edit_template(request: HttpRequest, template_id: int) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)
    row = templates.find(template_id)
    extra = {"title": f"Edit the template {row.name}", "template": row}
    if request.method != "POST":
        return form_page(request, Draft(row), **extra)

    def save(fields: dict[str, Any]) -> HttpResponse:
        templates.edit(template_id=row.pk, by=request.user, **fields)
        messages.success(request, "Saved. Events made from it stay as they are.")
        return redirect("tournament_templates")

    return sent_form(request, row, save, **extra)


@login_required
@require_POST
def archive_template(request: HttpRequest, template_id: int) -> HttpResponse:
    made = templates.archive(template_id=template_id, by=request.user)
    messages.success(request, f"{made.name} is put away.")
    return redirect("tournament_templates")
