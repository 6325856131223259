"""Addresses of what is printed and exported, and of a player's own tickets."""

from django.urls import path

from tournaments.web import prints

_PRINT = "tournaments/<int:tournament_id>/print/"

urlpatterns = [
    path(f"{_PRINT}receipts/<int:number>/", prints.receipt, name="tournament_receipt"),
    path(f"{_PRINT}payouts/<int:number>/", prints.prize_receipt, name="tournament_payout_receipt"),
    path(f"{_PRINT}seats/", prints.seat_cards, name="tournament_seat_cards"),
    path(f"{_PRINT}seats/<int:number>/", prints.seat_card, name="tournament_seat_card"),
    path(f"{_PRINT}moves/", prints.move_slips, name="tournament_move_slips"),
    path(f"{_PRINT}structure/", prints.structure, name="tournament_structure_sheet"),
    path("tournaments/<int:tournament_id>/export/<slug:what>.<slug:form>", prints.export, name="tournament_export"),
]
