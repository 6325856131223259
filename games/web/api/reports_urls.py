"""The resources of reports, shifts and dealers."""

from cardroom.web.api.routes import resource
from games.web.api import reports, shifts

urlpatterns = [
    *resource("reports", reports.ReportsView, name="api-reports"),
    *resource("reports/wishes", reports.WishesView, name="api-report-wishes"),
    *resource("reports/<slug:name>", reports.ReportView, name="api-report"),
    *resource("reports/<slug:name>/<slug:form>", reports.ReportFileView, name="api-report-file"),
    *resource("shifts", shifts.ShiftsView, name="api-shifts"),
    *resource("shifts/<id:shift_id>/close", shifts.ShiftCloseView, name="api-shift-close"),
    *resource("dealers", shifts.DealersView, name="api-dealers"),
    *resource("dealers/<id:dealer_id>/<slug:verb>", shifts.ClockView, name="api-dealer-clock"),
    *resource("downs", shifts.DownsView, name="api-downs"),
]
