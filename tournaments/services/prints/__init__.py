"""What an event has on paper, as PDF files: receipts, seat cards, move slips, the structure, the results.

Nothing secret is printed: no code of a ticket or of an entry, no address of a person. Who may have what is said at each
of them; the structure and the results are for everybody who may see the event.
"""

from tournaments.services.prints.receipts import prize_receipt, receipt
from tournaments.services.prints.sheets import results_sheet, structure_sheet
from tournaments.services.prints.slips import move_slips, seat_card, seat_cards

__all__ = [
    "move_slips",
    "prize_receipt",
    "receipt",
    "results_sheet",
    "seat_card",
    "seat_cards",
    "structure_sheet",
]
