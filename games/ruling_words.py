"""What points and verdicts are called at the table. The pages' scripts say the same (static/games/table/rulings.js); a
test holds the two together."""

KEYS = {
    "exposed_downcard": "Downcard turned up",
    "both_downcards_exposed": "Both downcards turned up",
    "dead_hand_lowcard": "The dead hand would have been low",
    "wrong_lowcard": "Wrong low card",
    "card_off_table": "Card off the table",
    "burn_error": "Burned wrong",
    "premature_deal": "Dealt too early",
    "deck_exhaustion": "The deck runs short",
    "all_in_final_faceup": "All-in player’s last card face up",
    "final_card_faceup": "Last card face up",
    "wrong_card_count": "Wrong number of cards",
    "upcard_order": "Upcards reordered",
    "picked_up_upcards": "Upcards picked up",
    "ante_all_in_lowcard": "Low card all-in for the ante",
    "short_bring_in": "Short bring-in",
    "absent_player": "Absent player",
    "fold_keeps_receiving": "Folded without a wager",
    "misdeal": "Misdeal",
    "void_hand": "Hand void",
    "penalty": "Penalty",
    "acting_in_turn": "Action out of turn",
    "beaten_call_stands": "Beaten call",
    "completion": "Completion",
    "raise_cap": "Raise cap",
    "open_pair_fourth": "Open pair",
    "table_stakes": "Table stakes",
    "short_all_in": "Short all-in",
}
VERDICTS = {
    "third-card-down": "third card down",
    "misdeal": "misdeal",
    "dead-hand": "hand dead, ante back",
    "left-opens": "the left opens",
    "corrected": "put right",
    "stands": "it stands",
    "exposed": "counts as exposed",
    "kept": "kept",
    "eliminated": "out of play",
    "no-burn": "no second burn",
    "remixed": "mixed again",
    "common-card": "one common card",
    "all-in-option": "may declare all-in",
    "second-up": "second card up too",
    "dead": "hand dead",
    "live": "hand live",
    "folded": "folded",
    "warning": "warning",
    "penalty": "penalty",
    "killed": "hand killed",
    "back-in-time": "back in time",
    "receiving": "still dealt to",
    "void": "void",
    "capped": "no more raises",
    "no-raise": "no raise",
    "either-limit": "either limit",
}
#: What the floor ordered, in a list of orders.
ORDERS = {
    "rules-live": "Hand ruled live",
    "orders-low": "Low card corrected",
    "misdeal": "Misdeal",
    "void": "Hand void",
    "kills": "Hand killed",
    "penalises": "Penalty",
    "undo": "Entry taken back",
}


def name_of_key(key: str) -> str:
    """ "burn_error" -> "Burned wrong"."""
    return KEYS.get(key) or _plain(key).capitalize()


def name_of_verdict(verdict: str) -> str:
    """ "third-card-down" -> "third card down"."""
    return VERDICTS.get(verdict) or _plain(verdict)


def title(key: str, verdict: str) -> str:
    """ "Downcard turned up: third card down"."""
    name, said = name_of_key(key), name_of_verdict(verdict)
    return name if name.lower() == said else f"{name}: {said}"


def _plain(slug: str) -> str:
    return slug.replace("-", " ").replace("_", " ")
