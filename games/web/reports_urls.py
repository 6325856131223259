"""Pages of reports."""

from django.urls import path

from games.web import reports

urlpatterns = [
    path("reports/", reports.index, name="reports"),
    path("reports/wishes/", reports.wish, name="report_wish"),
    path("reports/<slug:name>/", reports.page, name="report"),
    path("reports/<slug:name>/<slug:form>/", reports.file, name="report_file"),
]
