"""Facts in words. Cards are written as "[As]", which no player's name can hold; the `cards` filter draws them.

The live table says the same sentences (static/games/play/words.js); a test holds the two together.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext_lazy

from cardroom.core.sentences import StoredText, joined, stored_text, to_text
from games.engine.cards import JOKER
from games.engine.facts import base, mistakes, play
from games.tables.models.tables import Seat, Table

Who = Callable[[int], str]

#: How well house bots play, from the weakest to the strongest, and which of them has which personality.
STRENGTHS = (gettext_noop("Beginner"), gettext_noop("Casual"), gettext_noop("Regular"), gettext_noop("Expert"))
BOT_STRENGTHS = {
    "novice": "Beginner", "guest": "Casual", "lively": "Regular", "rock": "Expert", "professor": "Expert",
}  # fmt: skip
STREETS = {
    3: gettext_lazy("Third street"),
    4: gettext_lazy("Fourth street"),
    5: gettext_lazy("Fifth street"),
    6: gettext_lazy("Sixth street"),
    7: gettext_lazy("Seventh street"),
}

_WAGERED = {
    "bet": gettext_lazy("{who} bets {amount}."),
    "completion": gettext_lazy("{who} completes to {amount}."),
    "raise": gettext_lazy("{who} raises to {amount}."),
    "all-in": gettext_lazy("{who} is all-in for {amount}."),
}
_HELD = {
    "check": gettext_lazy("{who} checks out of turn."),
    "call": gettext_lazy("{who} calls out of turn."),
    "wager": gettext_lazy("{who} wagers out of turn."),
    "other": gettext_lazy("{who} acts out of turn."),
}
_SEEN = {
    "looked-at": gettext_lazy("{who} has looked at the last card."),
    "mixed": gettext_lazy("{who} has mixed the last card with the holecards."),
    "other": gettext_lazy("{who} has seen the last card."),
}
_ORDERS = {
    "rules-live": gettext_lazy("The floor rules a hand live"),
    "orders-low": gettext_lazy("The floor orders the true low card to bring it in"),
    "misdeal": gettext_lazy("The floor calls a misdeal"),
    "void": gettext_lazy("The floor voids the hand"),
    "kills": gettext_lazy("The floor kills a hand"),
    "penalises": gettext_lazy("The floor gives a penalty"),
}
_AWARDED = {
    "whole": gettext_lazy("{who} wins {amount} from the pot."),
    "high": gettext_lazy("{who} wins {amount} from the pot, high."),
    "low": gettext_lazy("{who} wins {amount} from the pot, low."),
}
_AWARDED_SIDE = {
    "whole": gettext_lazy("{who} wins {amount} from side pot {number}."),
    "high": gettext_lazy("{who} wins {amount} from side pot {number}, high."),
    "low": gettext_lazy("{who} wins {amount} from side pot {number}, low."),
}
_POSSIBLE = {"possible flush": gettext_lazy("possible flush"), "possible straight": gettext_lazy("possible straight")}
_DOOR_CARD = re.compile(r"([2-9TJQKA][shdc]) is (low|high)")
#: Ranks as a low hand is read, from the worst.
_LOW_ORDER = "KQJT98765432A"
#: Announcements that repeat a wager, whose own sentence is enough.
_TOLD_BY_THE_WAGER = ("raise", "completion")


#: The ranks as the engine calls them, lowest first, and in the reader's language.
RANKS = {
    "deuce": pgettext_lazy("a card", "deuce"),
    "three": pgettext_lazy("a card", "three"),
    "four": pgettext_lazy("a card", "four"),
    "five": pgettext_lazy("a card", "five"),
    "six": pgettext_lazy("a card", "six"),
    "seven": pgettext_lazy("a card", "seven"),
    "eight": pgettext_lazy("a card", "eight"),
    "nine": pgettext_lazy("a card", "nine"),
    "ten": pgettext_lazy("a card", "ten"),
    "jack": pgettext_lazy("a card", "jack"),
    "queen": pgettext_lazy("a card", "queen"),
    "king": pgettext_lazy("a card", "king"),
    "ace": pgettext_lazy("a card", "ace"),
}
# Translators: these go into "pair of {ranks}", "three {ranks}", "two pair, {ranks} and {others}" and the like. If your
# language needs a preposition for each, write it here ("de reyes") and leave it out there.
_SEVERAL = {
    "deuces": pgettext_lazy("several cards", "deuces"),
    "threes": pgettext_lazy("several cards", "threes"),
    "fours": pgettext_lazy("several cards", "fours"),
    "fives": pgettext_lazy("several cards", "fives"),
    "sixes": pgettext_lazy("several cards", "sixes"),
    "sevens": pgettext_lazy("several cards", "sevens"),
    "eights": pgettext_lazy("several cards", "eights"),
    "nines": pgettext_lazy("several cards", "nines"),
    "tens": pgettext_lazy("several cards", "tens"),
    "jacks": pgettext_lazy("several cards", "jacks"),
    "queens": pgettext_lazy("several cards", "queens"),
    "kings": pgettext_lazy("several cards", "kings"),
    "aces": pgettext_lazy("several cards", "aces"),
}
_RANK, _MANY = "|".join(RANKS), "|".join(_SEVERAL)
_HANDS = [
    (re.compile(pattern), text)
    for pattern, text in (
        (f"(?P<rank>{_RANK}) high", gettext_lazy("{rank} high")),
        (f"pair of (?P<ranks>{_MANY})", gettext_lazy("pair of {ranks}")),
        (f"two pair, (?P<ranks>{_MANY}) and (?P<others>{_MANY})", gettext_lazy("two pair, {ranks} and {others}")),
        (f"three (?P<ranks>{_MANY})", gettext_lazy("three {ranks}")),
        (f"(?P<rank>{_RANK})-high straight", gettext_lazy("{rank}-high straight")),
        (f"(?P<rank>{_RANK})-high flush", gettext_lazy("{rank}-high flush")),
        (f"full house, (?P<ranks>{_MANY}) over (?P<others>{_MANY})", gettext_lazy("full house, {ranks} over {others}")),
        (f"four (?P<ranks>{_MANY})", gettext_lazy("four {ranks}")),
        (f"(?P<rank>{_RANK})-high straight flush", gettext_lazy("{rank}-high straight flush")),
        ("royal flush", gettext_lazy("royal flush")),
    )
]


def hand_words(words: str) -> str:
    """The engine's name of a high hand ("pair of kings") in the current language. Other words, such as a low, stay as
    they are."""
    return to_text(hand_kept(words))


def hand_kept(words: str) -> StoredText:
    """The name of a hand as a text to be stored, for readers of any language."""
    for pattern, text in _HANDS:
        if match := pattern.fullmatch(words):
            ranks = {
                name: stored_text(word, context="a card" if word in RANKS else "several cards")
                for name, word in match.groupdict().items()
            }
            return stored_text(text, **ranks)
    return words


def shown_hand_words(fact: play.HandShown) -> str:
    """The names of a shown hand, high and low."""
    low = gettext("low: {ranks}").format(ranks=fact.low_words) if fact.low_words else ""
    return joined(filter(None, (hand_words(fact.words), low)))


def sentence(fact: base.Fact, who: Who) -> str:
    """The fact as a sentence, or "" where there is nothing to say. `who(seat)` is the player's name."""
    if text := _PLAIN.get(fact.kind):
        seat, chips = getattr(fact, "seat", 0), getattr(fact, "amount", 0)
        return text.format(who=who(seat) if seat else "", amount=_chips(chips))
    say = _SENTENCES.get(fact.kind)
    return say(fact, who) if say else ""


def heading(fact: base.Fact) -> str:
    """The name of the part of the hand that this fact begins, or ""."""
    if isinstance(fact, play.CardsDealt):
        return str(STREETS.get(fact.street, ""))
    if isinstance(fact, play.CommonCardDealt):
        return str(STREETS[7])
    return gettext("Showdown") if isinstance(fact, play.ShowdownOpened) else ""


def _chips(count: int) -> str:
    """12,500, as it is written in the current language."""
    return number_format(count, use_l10n=True, force_grouping=True)


def marked(card: str | None) -> str:
    return f"[{card}]" if card else "??"


def _marked_all(cards: Any) -> str:
    return " ".join(marked(card) for card in cards)


def _and(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return gettext("{others} and {last}").format(others=", ".join(parts[:-1]), last=parts[-1])


def _dealt(fact: play.CardsDealt, who: Who) -> str:
    own: dict[int, list[str]] = {}
    unseen: dict[int, str] = {}
    for seat, card, is_up in fact.cards:
        if card and not is_up:
            own.setdefault(seat, []).append(marked(card))
        elif not card:
            unseen[seat] = who(seat)
    up = [f"{who(seat)} {marked(card)}" for seat, card, is_up in fact.cards if card and is_up]
    gets = gettext("{who} gets {cards} down.")
    sentences = [gets.format(who=who(seat), cards=_and(cards)) for seat, cards in own.items()]
    if up:
        sentences.append(gettext("Dealt up: {cards}.").format(cards=", ".join(up)))
    elif unseen:
        sentences.append(gettext("A card down to {players}.").format(players=_and(list(unseen.values()))))
    return " ".join(sentences)


def _dealt_too_soon(fact: mistakes.PrematurelyDealt, who: Who) -> str:
    down = gettext("{who} one down")
    cards = [f"{who(seat)} {marked(card)}" if card else down.format(who=who(seat)) for seat, card, _ in fact.cards]
    return gettext("Dealt too soon: {cards}.").format(cards=", ".join(cards))


def _put_right(fact: mistakes.CardsPutRight, who: Who) -> str:
    seats = dict.fromkeys(seat for seat, _, _ in fact.cards)
    players = _and([who(seat) for seat in seats])
    return gettext("The dealer puts the cards right: {players}.").format(players=players)


def _kept(fact: mistakes.PrematureCardKept, who: Who) -> str:
    if fact.may_bet:
        text = gettext("{who} keeps the card dealt too soon and may not raise on this street.")
    else:
        text = gettext("{who} keeps the card dealt too soon and may not bet or raise on this street.")
    return text.format(who=who(fact.seat))


def _ordered(fact: mistakes.Ordered, name: Who) -> str:
    who, reason = name(fact.seat) if fact.seat else "", fact.reason
    if who:
        text = gettext("{order}: {who} ({reason}).") if reason else gettext("{order}: {who}.")
    else:
        text = gettext("{order} ({reason}).") if reason else gettext("{order}.")
    return text.format(order=_ORDERS.get(fact.what, fact.what), who=who, reason=reason)


def _reversed(fact: mistakes.EntryReversed, who: Who) -> str:
    if not fact.reason:
        return gettext("The last entry was a mistake and is taken back.")
    return gettext("The last entry was a mistake and is taken back ({reason}).").format(reason=fact.reason)


def _voided(fact: mistakes.HandVoided, who: Who) -> str:
    if fact.why == "misdeal":
        return gettext("A misdeal: every chip goes back.")
    return gettext("The hand is void: every chip goes back.")


def _fouled(fact: mistakes.DeckFouled, who: Who) -> str:
    if fact.card == JOKER:
        return gettext("The deck is fouled: there is a joker in it.")
    if not fact.card:
        return gettext("The deck is fouled.")
    return gettext("The deck is fouled: {card} is there twice.").format(card=marked(fact.card))


def _announced(fact: play.Announced, name: Who) -> str:
    who = name(fact.seat)
    if fact.what == "high-hand":
        if not fact.words:
            return gettext("{who} is high.").format(who=who)
        return gettext("{who} is high: {hand}.").format(who=who, hand=hand_words(fact.words))
    if fact.what == "low-hand":
        ranks = "-".join(rank.replace("T", "10") for rank in sorted(fact.words, key=_LOW_ORDER.index))
        text = gettext("{who} is low: {ranks}.") if ranks else gettext("{who} is low.")
        return text.format(who=who, ranks=ranks)
    if fact.what in _TOLD_BY_THE_WAGER or not fact.words:
        return ""
    return gettext("{who}: {said}.").format(who=who, said=_announced_words(fact.words))


def _announced_words(words: str) -> str:
    """ "2h is low", "pair of kings" and "possible flush" in the current language."""
    if match := _DOOR_CARD.fullmatch(words):
        card, which = match.groups()
        text = gettext("{card} is low") if which == "low" else gettext("{card} is high")
        return text.format(card=marked(card))
    return str(_POSSIBLE.get(words) or hand_words(words))


def _antes(fact: play.AntesPosted, who: Who) -> str:
    total = sum(chips for _, chips in fact.antes)
    return gettext("Antes are in: {amount}.").format(amount=_chips(total)) if total else ""


def _pots(fact: play.RoundClosed, who: Who) -> str:
    if not fact.pots:
        return ""
    (main, _), *others = fact.pots
    side = gettext("side pot {number} {amount}")
    parts = [gettext("Pot {amount}").format(amount=_chips(main))]
    parts += [side.format(number=number, amount=_chips(chips)) for number, (chips, _) in enumerate(others, 1)]
    return f"{', '.join(parts)}."


def _shown(fact: play.HandShown, who: Who) -> str:
    five = f" ({_marked_all(fact.five)})" if fact.five else ""
    low = gettext("low: {ranks}").format(ranks=fact.low_words) if fact.low_words else ""
    hand = joined(filter(None, (f"{hand_words(fact.words)}{five}", low)))
    return gettext("{who} shows {hand}.").format(who=who(fact.seat), hand=hand)


def _drop(fact: play.DropTaken, who: Who) -> str:
    if fact.why == "no-call":
        return gettext("No rake: the hand ended on third street without a call.")
    funds = [
        (fact.rake, gettext("rake {amount}")),
        (fact.promo, gettext("promotions {amount}")),
        (fact.jackpot, gettext("jackpot {amount}")),
    ]
    sentence = ", ".join(text.format(amount=_chips(chips)) for chips, text in funds if chips)
    return f"{sentence[0].upper()}{sentence[1:]}." if sentence else ""


def _awarded(fact: play.PotAwarded, who: Who) -> str:
    texts = _AWARDED_SIDE if fact.pot else _AWARDED
    text = str(texts.get(fact.share, texts["whole"]))
    return text.format(who=who(fact.seat), amount=_chips(fact.amount), number=fact.pot)


#: Sentences with at most one player and one amount of chips.
_PLAIN = {
    "stub-remixed": gettext_lazy("The deck runs short: the stub and the burns are mixed again."),
    "no-card-left": gettext_lazy("The deck is out: nobody gets another card."),
    "timed-out": gettext_lazy("{who} ran out of time."),
    "bring-in-posted": gettext_lazy("{who} brings it in for {amount}."),
    "checked": gettext_lazy("{who} checks."),
    "called": gettext_lazy("{who} calls {amount}."),
    "folded": gettext_lazy("{who} folds."),
    "hand-killed": gettext_lazy("{who}’s hand is dead."),
    "player-left": gettext_lazy("{who} is away."),
    "player-back": gettext_lazy("{who} is back."),
    "bet-returned": gettext_lazy("Uncalled bet ({amount}) returned to {who}."),
    "cards-eliminated": gettext_lazy("The cards dealt too soon are out of play."),
    "ante-returned": gettext_lazy("The ante of {amount} goes back to {who}."),
    "upcards-picked-up": gettext_lazy("{who} picks up the upcards."),
    "upcards-reordered": gettext_lazy("{who} changes the order of the upcards."),
    "declared-all-in": gettext_lazy("{who} declares all-in."),
    "action-released": gettext_lazy("{who} is no longer held to it."),
    "hand-revived": gettext_lazy("{who}’s hand is ruled live."),
    "hand-mucked": gettext_lazy("{who} mucks."),
}
_SENTENCES: dict[str, Callable[[Any, Who], str]] = {
    "antes-posted": _antes,
    "cards-dealt": _dealt,
    "common-card-dealt": lambda fact, who: gettext("A common card for everybody: {card}.").format(
        card=marked(fact.card)
    ),
    "announced": _announced,
    "ruled": lambda fact, who: fact.words,
    "call-weighed": lambda fact, who: (
        gettext("That call was beaten by cards in sight; it stands.") if fact.is_beaten else ""
    ),
    "round-opened": lambda fact, who: (
        "" if fact.opener == fact.named else gettext("{who} opens instead.").format(who=who(fact.opener))
    ),
    "wagered": lambda fact, who: _WAGERED[fact.verb].format(who=who(fact.seat), amount=_chips(fact.to)),
    "round-closed": _pots,
    "last-card-seen": lambda fact, who: _SEEN.get(fact.how, _SEEN["other"]).format(who=who(fact.seat)),
    "cards-put-right": _put_right,
    "prematurely-dealt": _dealt_too_soon,
    "premature-card-kept": _kept,
    "action-held": lambda fact, who: _HELD.get(fact.verb, _HELD["other"]).format(who=who(fact.seat)),
    "ordered": _ordered,
    "entry-reversed": _reversed,
    "deck-fouled": _fouled,
    "hand-voided": _voided,
    "hand-tabled": lambda fact, who: gettext("{who} turns up {cards}.").format(
        who=who(fact.seat), cards=_marked_all(fact.cards)
    ),
    "hand-shown": _shown,
    "drop-taken": _drop,
    "pot-awarded": _awarded,
}


GOING = "going"
_GOING_FROM = 2
PHASES = {
    "free": gettext_lazy("free"),
    "open": gettext_lazy("open"),
    GOING: gettext_lazy("going"),
    "paused": gettext_lazy("paused"),
    "breaking": gettext_lazy("breaking"),
    "closed": gettext_lazy("closed"),
}


def phase_of(table: Table, seats: Sequence[Seat] | int) -> str:
    """What people call it: "free", "open" (nobody plays yet), "going", "paused", "breaking" or "closed".

    `seats`: the taken seats of the table, or how many they are. A table in the room is going with a dealer clocked in
    and a player at least; a dealer without players is a dead spread, see `is_dead_spread`.
    """
    if table.state in (Table.State.FREE, Table.State.CLOSED):
        return str(table.state)
    if table.state in (Table.State.BREAKING, Table.State.CLOSING):
        return "breaking"
    if table.paused_at is not None:
        return "paused"
    many = seats if isinstance(seats, int) else len(seats)
    if table.is_physical:
        return GOING if table.dealer_on_id is not None and many else "open"
    return GOING if table.hand_id is not None or many >= _GOING_FROM else "open"


def is_dead_spread(table: Table, seats: Sequence[Seat] | int) -> bool:
    """Whether a dealer sits at an open table of the room with nobody to deal to."""
    many = seats if isinstance(seats, int) else len(seats)
    return table.is_physical and table.state == Table.State.OPEN and table.dealer_on_id is not None and not many
