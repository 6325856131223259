"""The resources of reports."""

from cardroom.web.api.routes import resource
from games.web.api import reports

urlpatterns = [
    *resource("reports", reports.ReportsView, name="api-reports"),
    *resource("reports/wishes", reports.WishesView, name="api-report-wishes"),
    *resource("reports/<slug:name>", reports.ReportView, name="api-report"),
    *resource("reports/<slug:name>/<slug:form>", reports.ReportFileView, name="api-report-file"),
]
