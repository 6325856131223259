"""The words that a scenario may use: rule keys, verdicts, streets, verbs. Knows nothing of the engine."""

#: Verdicts by rule key; keys without a verdict of their own never stand in a ruling.
VERDICTS: dict[str, tuple[str, ...]] = {
    "exposed_downcard": ("third-card-down", "misdeal"),
    "both_downcards_exposed": ("dead-hand", "misdeal"),
    "dead_hand_lowcard": ("left-opens",),
    "ante_all_in_lowcard": ("left-opens",),
    "short_bring_in": ("stands",),
    "absent_player": ("killed", "back-in-time"),
    "fold_keeps_receiving": ("receiving", "killed"),
    "wrong_lowcard": ("corrected", "stands"),
    "picked_up_upcards": ("folded", "live"),
    "card_off_table": ("exposed",),
    "burn_error": ("corrected", "kept"),
    "premature_deal": ("eliminated", "kept"),
    "deck_exhaustion": ("no-burn", "remixed", "common-card"),
    "final_card_faceup": ("all-in-option", "second-up", "all-up", "kept"),
    "all_in_final_faceup": ("kept",),
    "wrong_card_count": ("dead", "live", "corrected", "misdeal", "stands"),
    "fouled_deck": ("void",),
    "beaten_call_stands": ("stands",),
    "upcard_order": ("warning", "penalty"),
    "completion": ("no-raise",),
    "open_pair_fourth": ("either-limit",),
    "raise_cap": ("capped",),
}

#: Points that are played but never ruled on.
UNRULED = (
    "players",
    "ante",
    "streets",
    "burns",
    "forced_bet",
    "later_opener",
    "opener_may_complete",
    "bring_in_is_open",
    "limits",
    "last_stub_card",
    "announcements",
    "showdown_order",
)

#: What the stud pages leave to the general sections.
GENERAL = (
    "table_stakes",
    "acting_in_turn",
    "wager_size",
    "short_all_in",
    "side_pots",
    "uncalled_bet",
    "odd_chip",
    "time_out",
    "all_in_showdown",
    "misdeal",
    "void_hand",
    "penalty",
)

RULE_KEYS = frozenset((*VERDICTS, *UNRULED, *GENERAL))

STREETS = {"third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7}
STREET_NAMES = {number: name for name, number in STREETS.items()}

#: Verbs of ``N verb``; those of WAGERS may be followed by a total.
WAGERS = frozenset({"completes", "bets", "raises"})
VERBS = WAGERS | {
    "brings-in",
    "folds",
    "checks",
    "calls",
    "times-out",
    "absent",
    "back",
    "picks-up",
    "reorders",
    "looks",
    "mixes",
    "declares-all-in",
    "shows",
    "mucks",
}

#: Orders of the floor, and whether they name a seat.
FLOOR = {"rules-live": True, "orders-low": False, "misdeal": False, "voids": False, "kills": True, "penalises": True}

ANNOUNCEMENTS = frozenset({"lowcard", "high-hand", "raise", "pair", "straight", "flush"})

SETTINGS = frozenset({"cash", "tournament"})
GAMES = frozenset({"seven-card-stud", "mississippi-stud", "razz", "stud-eight"})
#: Stakes that each structure cannot do without.
STRUCTURES = {
    "fixed-limit": ("ante", "bring_in", "small_bet", "big_bet"),
    "spread-limit": ("ante", "bring_in", "min_bet", "max_bet"),
    "pot-limit": ("ante", "bring_in", "min_bet"),
    "no-limit": ("ante", "bring_in", "min_bet"),
}
STAKES = frozenset({"ante", "bring_in", "small_bet", "big_bet", "min_bet", "max_bet", "unit"})
