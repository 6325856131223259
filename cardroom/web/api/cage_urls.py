"""The cage's resources."""

from django.urls import register_converter

from cardroom.web.api import cage, cage_requests, cage_sessions
from cardroom.web.api.routes import resource


class Form:
    """As what a report comes."""

    regex = "pdf|csv"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Form, "form")

urlpatterns = [
    *resource("cage/slips", cage.SlipsView, name="api-slips"),
    *resource("cage/slips/<id:slip_id>", cage.SlipView, name="api-slip"),
    *resource("cage/slips/<id:slip_id>/receipt", cage.ReceiptView, name="api-slip-receipt"),
    *resource("cage/slips/<id:slip_id>/reversal", cage.ReversalView, name="api-slip-reversal"),
    *resource("cage/drawers", cage.DrawersView, name="api-drawers"),
    *resource("cage/drawers/<id:drawer_id>", cage.DrawerView, name="api-drawer"),
    *resource("cage/sessions", cage_sessions.SessionsView, name="api-drawer-sessions"),
    *resource("cage/sessions/<id:session_id>", cage_sessions.SessionView, name="api-drawer-session"),
    *resource("cage/sessions/<id:session_id>/fill", cage_sessions.FillView, name="api-drawer-fill"),
    *resource("cage/sessions/<id:session_id>/take", cage_sessions.TakeView, name="api-drawer-take"),
    *resource("cage/sessions/<id:session_id>/count", cage_sessions.CountView, name="api-drawer-count"),
    *resource("cage/sessions/<id:session_id>/close", cage_sessions.CloseView, name="api-drawer-close"),
    *resource(
        "cage/sessions/<id:session_id>/report.<form:form>", cage_sessions.SessionReportView, name="api-drawer-report"
    ),
    *resource("cage/vault", cage.VaultView, name="api-vault"),
    *resource("cage/vault/counts", cage.VaultCountsView, name="api-vault-counts"),
    *resource("cage/limits", cage.LimitsView, name="api-cage-limits"),
    *resource("cage/players/<id:player_id>", cage.CagePlayerView, name="api-cage-player"),
    *resource("cage/players/<id:player_id>/credit-line", cage.CreditLineView, name="api-credit-line"),
    *resource("cage/requests", cage_requests.WaitingRequestsView, name="api-cashier-requests"),
    *resource("cage/requests/<id:request_id>/fulfil", cage_requests.FulfilView, name="api-fulfil-request"),
    *resource("cage/requests/<id:request_id>/refuse", cage_requests.RefuseView, name="api-refuse-request"),
    *resource("approvals", cage_requests.ApprovalsView, name="api-approvals"),
    *resource("approvals/<id:approval_id>", cage_requests.ApprovalView, name="api-approval"),
    *resource("approvals/<id:approval_id>/decision", cage_requests.DecisionView, name="api-decision"),
    *resource("me/cashier", cage_requests.MyCashierView, name="api-my-cashier"),
    *resource("me/cashier/requests", cage_requests.MyRequestsView, name="api-my-cashier-requests"),
    *resource("me/cashier/requests/<id:request_id>", cage_requests.MyRequestView, name="api-my-cashier-request"),
]  # fmt: skip
