"""What points and verdicts are called at the table. The pages' scripts say the same (static/games/play/rulings.js); a
test holds the two together.
"""

from games.rulebooks.house.choices import questions

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
    "void": "hand void",
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
    point = questions().get(key)
    return point.name if point else _plain(key).capitalize()


def name_of_verdict(verdict: str) -> str:
    """ "third-card-down" -> "third card down"."""
    return VERDICTS.get(verdict) or _plain(verdict)


def title(key: str, verdict: str) -> str:
    """ "Downcard turned up: third card down"."""
    name, said = name_of_key(key), name_of_verdict(verdict)
    return name if name.lower() == said else f"{name}: {said}"


def _plain(slug: str) -> str:
    return slug.replace("-", " ").replace("_", " ")
