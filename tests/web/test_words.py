"""Every kind of fact has its sentence, or is known to have none."""

import re

import pytest

from games import words
from games.engine import facts as f

NAMES = {1: "Ada", 2: "As", 3: "Cleo"}
#: Told by what stands beside them, or nobody's to see.
SILENT = {"action-on", "card-burned", "deck-shuffled", "hand-ended", "hand-started", "seats-skipped", "show-due"}
SILENT |= {"showdown-opened"}

SAID = [
    (f.AntesPosted(((1, 1_000), (2, 500))), "Antes are in: 1,500."),
    (f.CardsDealt(3, ((1, None, False), (2, "Ks", False), (2, "Td", False), (2, "2c", True))), "[2c]"),
    (f.CardsDealt(7, ((1, None, False), (3, None, False))), "A card down to Ada and Cleo."),
    (f.CardsDealt(7, ((1, None, False), (3, "Ah", False))), "Cleo gets [Ah] down. A card down to Ada."),
    (f.CommonCardDealt("Qd"), "A common card for everybody: [Qd]."),
    (f.NoCardLeft(7), "The deck is out"),
    (f.Announced("lowcard", 2, "2h is low"), "As: [2h] is low."),
    (f.Announced("high-hand", 1, "pair of kings"), "Ada is high: pair of kings."),
    (f.Announced("low-hand", 1, "A7T"), "Ada is low: 10-7-A."),
    (f.Announced("low-hand", 1, ""), "Ada is low."),
    (f.Announced("raise", 1, "raise to 30"), ""),
    (f.Ruled("completion", "no-raise", "3", (1,), "A completion is no raise."), "A completion is no raise."),
    (f.CallWeighed(1, True, "19"), "beaten by cards in sight"),
    (f.CallWeighed(1, None, None), ""),
    (f.RoundOpened(4, 1, 1, (15,), False), ""),
    (f.RoundOpened(4, 1, 3, (15,), False), "Cleo opens instead."),
    (f.TimedOut(1), "Ada ran out of time."),
    (f.BringInPosted(1, 5, 5), "Ada brings it in for 5."),
    (f.Checked(1), "Ada checks."),
    (f.Called(1, 1_500), "Ada calls 1,500."),
    (f.Wagered(1, "completion", 10, 15, 15, 0, (15,), 0, False), "Ada completes to 15."),
    (f.Wagered(1, "raise", 30, 60, 60, 1, (30,), 0, False), "Ada raises to 60."),
    (f.Wagered(1, "bet", 30, 30, 30, 0, (30,), 0, False), "Ada bets 30."),
    (f.Wagered(1, "all-in", 7, 7, 0, 0, (30,), 0, False), "Ada is all-in for 7."),
    (f.Folded(1, False), "Ada folds."),
    (f.HandKilled(1), "Ada’s hand is dead."),
    (f.PlayerLeft(1), "Ada is away."),
    (f.PlayerBack(1), "Ada is back."),
    (f.BetReturned(1, 30), "30 nobody called goes back to Ada."),
    (f.RoundClosed(5, ((120, (1, 2)), (40, (1,)))), "Pot 120, side pot 1 40."),
    (f.StubRemixed((None,) * 5), "mixed again"),
    (f.LastCardSeen(1, "looked-at"), "Ada has looked at the last card."),
    (f.CardsPutRight((None,), ((1, "As", False), (3, None, False)), (), 1), "puts the cards right: Ada and Cleo."),
    (f.PrematurelyDealt(4, ((1, "Kc", True), (3, None, False))), "Dealt too soon: Ada [Kc], Cleo one down."),
    (f.PrematureCardKept(1, "Kc", False), "may not bet or raise on this street."),
    (f.CardsEliminated((None, None)), "The cards dealt too soon are out of play."),
    (f.AnteReturned(1, 5), "The ante of 5 goes back to Ada."),
    (f.UpcardsPickedUp(1), "Ada picks up the upcards."),
    (f.UpcardsReordered(1), "Ada changes the order of the upcards."),
    (f.DeclaredAllIn(1), "Ada declares all-in."),
    (f.ActionHeld(1, "call", 0, 5), "Ada calls out of turn."),
    (f.ActionReleased(1), "Ada is no longer held to it."),
    (f.Ordered("misdeal", 0, "two jokers"), "The floor calls a misdeal (two jokers)."),
    (f.Ordered("kills", 1, ""), "The floor kills a hand: Ada."),
    (f.EntryReversed(12, "wrong seat"), "The last entry was a mistake and is taken back (wrong seat)."),
    (f.EntryReversed(12, ""), "is taken back."),
    (f.HandRevived(1), "Ada’s hand is ruled live."),
    (f.HandVoided("misdeal", ((1, 500),)), "A misdeal: every chip goes back."),
    (f.HandTabled(1, ("As", "Kd")), "Ada turns up [As] [Kd]."),
    (f.HandShown(1, ("As", "Ad"), ("As", "Ad"), "pair of aces", (), ""), "Ada shows pair of aces ([As] [Ad])."),
    (f.HandMucked(1), "Ada mucks."),
    (f.DropTaken(4, 0, 0, (4,)), "Rake 4."),
    (f.DropTaken(1_200, 2, 1, (1_200, 3)), "Rake 1,200, promotions 2, jackpot 1."),
    (f.DropTaken(0, 0, 1, (1,)), "Jackpot 1."),
    (f.DropTaken(0, 0, 0, (0,)), ""),
    (f.DropTaken(0, 0, 0, (0,), "no-call"), "No rake: the hand ended on third street without a call."),
    (f.PotAwarded(0, 1, 1_200, "whole", 0), "Ada wins 1,200 from the pot."),
    (f.PotAwarded(2, 1, 40, "low", 1), "Ada wins 40 from side pot 2, low."),
]


@pytest.mark.parametrize(("fact", "said"), SAID, ids=lambda value: getattr(value, "kind", ""))
def test_a_fact_is_told_in_words(fact, said):
    sentence = words.sentence(fact, NAMES.__getitem__)
    assert said in sentence
    assert bool(said) == bool(sentence)


def test_every_kind_of_fact_is_told_or_known_to_be_silent():
    assert set(f.KINDS) == {fact.kind for fact, _ in SAID} | SILENT


def test_a_sealed_fact_tells_no_card():
    for fact, _ in SAID:
        sealed = f.redact(fact, f.RAIL)
        assert sealed == fact or not re.search(r"\[(Ah|Ks)\]", words.sentence(sealed, NAMES.__getitem__))
