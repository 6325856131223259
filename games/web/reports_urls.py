"""Pages of reports, shifts and dealers."""

from django.urls import path

from games.web import reports, shifts

urlpatterns = [
    path("reports/", reports.index, name="reports"),
    path("reports/wishes/", reports.wish, name="report_wish"),
    path("reports/<slug:name>/", reports.page, name="report"),
    path("reports/<slug:name>/<slug:form>/", reports.file, name="report_file"),
    path("shifts/", shifts.page, name="shifts"),
    path("shifts/<slug:verb>/", shifts.shift, name="shift_verb"),
    path("dealers/<slug:verb>/", shifts.dealer, name="dealer_verb"),
    path("floor/dealers/", shifts.panel, name="floor_dealers"),
]
