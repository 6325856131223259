"""Pages of the cage."""

from django.urls import path

from cardroom.web import cage, cage_approvals, cage_drawers, cage_mine
from cardroom.web.api import routes  # noqa: F401  knows what an <id:> is

urlpatterns = [
    path("cage/", cage.desk, name="cage"),
    path("cage/do/", cage.do, name="cage_do"),
    path("cage/players/<id:player_id>/credit-line/", cage.credit_line, name="cage_line"),
    path("cage/requests/<id:request_id>/", cage.answer_request, name="cage_request"),
    path("cage/slips/", cage.slips, name="cage_slips"),
    path("cage/slips/<id:slip_id>/", cage.slip, name="cage_slip"),
    path("cage/slips/<id:slip_id>/reverse/", cage.reverse_slip, name="cage_reverse"),
    path("cage/slips/<id:slip_id>/receipt/", cage.receipt, name="cage_receipt"),
    path("cage/drawers/", cage_drawers.drawers, name="cage_drawers"),
    path("cage/drawers/open/", cage_drawers.open_drawer, name="cage_open"),
    path("cage/drawers/new/", cage_drawers.make, name="cage_make_drawer"),
    path("cage/drawers/<id:drawer_id>/retire/", cage_drawers.retire, name="cage_retire_drawer"),
    path("cage/drawers/fill/", cage_drawers.move, {"verb": "fill"}, name="cage_fill"),
    path("cage/drawers/take/", cage_drawers.move, {"verb": "take"}, name="cage_take"),
    path("cage/drawers/count/", cage_drawers.count, name="cage_count"),
    path("cage/drawers/close/", cage_drawers.close, name="cage_close"),
    path("cage/vault/", cage_drawers.vault, name="cage_vault"),
    path("cage/vault/count/", cage_drawers.count_vault, name="cage_count_vault"),
    path("cage/sessions/<id:session_id>/", cage_drawers.session, name="cage_session"),
    path("cage/sessions/<id:session_id>/report.pdf", cage_drawers.report, {"form": "pdf"}, name="cage_report"),
    path("cage/sessions/<id:session_id>/report.csv", cage_drawers.report, {"form": "csv"}, name="cage_report_csv"),
    path("cage/approvals/", cage_approvals.page, name="cage_approvals"),
    path("cage/approvals/<id:approval_id>/decide/", cage_approvals.decide, name="cage_decide"),
    path("cage/approvals/<id:approval_id>/take-back/", cage_approvals.take_back, name="cage_take_back"),
    path("cage/limits/", cage_approvals.limits, name="cage_limits"),
    path("me/cashier/", cage_mine.page, name="my_cashier"),
    path("me/cashier/ask/", cage_mine.ask, name="my_cashier_ask"),
    path("me/cashier/<id:request_id>/take-back/", cage_mine.take_back, name="my_cashier_take_back"),
]
