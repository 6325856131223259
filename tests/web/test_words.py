"""Every kind of fact has its sentence, or is known to have none; and a reader who is offered a language gets all of it,
with the same names in every sentence."""

import ast
import re
from functools import cache
from pathlib import Path

from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import call_command

from cardroom.core import languages
from cardroom.management.commands import languages as command
from cardroom.management.commands.languages import KEYWORDS, extract_catalog
from games.engine.facts import base, mistakes, play
from games.tables import words as table_words

_NAMES = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
_CALLS = {"gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}
_NUMBERED = re.compile(r"gettext.*\{[\w.]*:\+?,\}", re.DOTALL)
_OWN_RULES = ("House rules: ", "Rules of the room, ")
NAMES = {1: "Ada", 2: "As", 3: "Cleo"}
#: Told by what stands beside them, or nobody's to see.
SILENT = {
    *("action-on", "card-burned", "deck-shuffled", "hand-ended", "hand-started", "seats-skipped", "show-due"),
    "shuffle-committed",
}
SILENT |= {"showdown-opened"}

SAID = [
    (play.AntesPosted(((1, 1_000), (2, 500))), "Antes are in: 1,500."),
    (play.CardsDealt(3, ((1, None, False), (2, "Ks", False), (2, "Td", False), (2, "2c", True))), "[2c]"),
    (play.CardsDealt(7, ((1, None, False), (3, None, False))), "A card down to Ada and Cleo."),
    (play.CardsDealt(7, ((1, None, False), (3, "Ah", False))), "Cleo gets [Ah] down. A card down to Ada."),
    (play.CommonCardDealt("Qd"), "A common card for everybody: [Qd]."),
    (play.NoCardLeft(7), "The deck is out"),
    (play.Announced("lowcard", 2, "2h is low"), "As: [2h] is low."),
    (play.Announced("lowcard", 1, "Kh is high"), "Ada: [Kh] is high."),
    (play.Announced("lowcard", 1, ""), ""),
    (play.Announced("pair", 1, "pair of sixes"), "Ada: pair of sixes."),
    (play.Announced("flush", 1, "possible flush"), "Ada: possible flush."),
    (play.Announced("straight", 1, "possible straight"), "Ada: possible straight."),
    (play.Announced("high-hand", 1, "pair of kings"), "Ada is high: pair of kings."),
    (play.Announced("low-hand", 1, "A7T"), "Ada is low: 10-7-A."),
    (play.Announced("low-hand", 1, ""), "Ada is low."),
    (play.Announced("raise", 1, "raise to 30"), ""),
    (play.Ruled("completion", "no-raise", "3", (1,), "A completion is no raise."), "A completion is no raise."),
    (play.CallWeighed(1, True, "19"), "beaten by cards in sight"),
    (play.CallWeighed(1, None, None), ""),
    (play.RoundOpened(4, 1, 1, (15,), False), ""),
    (play.RoundOpened(4, 1, 3, (15,), False), "Cleo opens instead."),
    (play.TimedOut(1), "Ada ran out of time."),
    (play.BringInPosted(1, 5, 5), "Ada brings it in for 5."),
    (play.Checked(1), "Ada checks."),
    (play.Called(1, 1_500), "Ada calls 1,500."),
    (play.Wagered(1, "completion", 10, 15, 15, 0, (15,), 0, False), "Ada completes to 15."),
    (play.Wagered(1, "raise", 30, 60, 60, 1, (30,), 0, False), "Ada raises to 60."),
    (play.Wagered(1, "bet", 30, 30, 30, 0, (30,), 0, False), "Ada bets 30."),
    (play.Wagered(1, "all-in", 7, 7, 0, 0, (30,), 0, False), "Ada is all-in for 7."),
    (play.Folded(1, False), "Ada folds."),
    (play.HandKilled(1), "Ada’s hand is dead."),
    (play.PlayerLeft(1), "Ada is away."),
    (play.PlayerBack(1), "Ada is back."),
    (play.BetReturned(1, 30), "Uncalled bet (30) returned to Ada."),
    (play.RoundClosed(5, ((120, (1, 2)), (40, (1,)))), "Pot 120, side pot 1 40."),
    (play.StubRemixed((None,) * 5), "mixed again"),
    (mistakes.LastCardSeen(1, "looked-at"), "Ada has looked at the last card."),
    (mistakes.CardsPutRight((None,), ((1, "As", False), (3, None, False)), (), 1), "cards right: Ada and Cleo."),
    (mistakes.PrematurelyDealt(4, ((1, "Kc", True), (3, None, False))), "Dealt too soon: Ada [Kc], Cleo one down."),
    (mistakes.PrematureCardKept(1, "Kc", False), "may not bet or raise on this street."),
    (mistakes.CardsEliminated((None, None)), "The cards dealt too soon are out of play."),
    (mistakes.AnteReturned(1, 5), "The ante of 5 goes back to Ada."),
    (mistakes.UpcardsPickedUp(1), "Ada picks up the upcards."),
    (mistakes.UpcardsReordered(1), "Ada changes the order of the upcards."),
    (mistakes.DeclaredAllIn(1), "Ada declares all-in."),
    (mistakes.ActionHeld(1, "call", 0, 5), "Ada calls out of turn."),
    (mistakes.ActionReleased(1), "Ada is no longer held to it."),
    (mistakes.Ordered("misdeal", 0, "two jokers"), "The floor calls a misdeal (two jokers)."),
    (mistakes.Ordered("kills", 1, ""), "The floor kills a hand: Ada."),
    (mistakes.EntryReversed(12, "wrong seat"), "The last entry was a mistake and is taken back (wrong seat)."),
    (mistakes.EntryReversed(12, ""), "is taken back."),
    (mistakes.HandRevived(1), "Ada’s hand is ruled live."),
    (mistakes.DeckFouled("9h"), "The deck is fouled: [9h] is there twice."),
    (mistakes.DeckFouled("joker"), "there is a joker in it."),
    (mistakes.DeckFouled(""), "The deck is fouled."),
    (mistakes.HandVoided("misdeal", ((1, 500),)), "A misdeal: every chip goes back."),
    (play.HandTabled(1, ("As", "Kd")), "Ada turns up [As] [Kd]."),
    (play.HandShown(1, ("As", "Ad"), ("As", "Ad"), "pair of aces", (), ""), "Ada shows pair of aces ([As] [Ad])."),
    (play.HandShown(1, (), (), "", ("8s", "As"), "8-A"), "Ada shows low: 8-A."),
    (play.HandShown(1, (), ("Ts",), "ten high", ("Ts",), "10"), "Ada shows ten high ([Ts]); low: 10."),
    (play.HandMucked(1), "Ada mucks."),
    (play.DropTaken(4, 0, 0, (4,)), "Rake 4."),
    (play.DropTaken(1_200, 2, 1, (1_200, 3)), "Rake 1,200, promotions 2, jackpot 1."),
    (play.DropTaken(0, 0, 1, (1,)), "Jackpot 1."),
    (play.DropTaken(0, 0, 0, (0,)), ""),
    (play.DropTaken(0, 0, 0, (0,), "no-call"), "No rake: the hand ended on third street without a call."),
    (play.PotAwarded(0, 1, 1_200, "whole", 0), "Ada wins 1,200 from the pot."),
    (play.PotAwarded(2, 1, 40, "low", 1), "Ada wins 40 from side pot 2, low."),
]


def test_every_kind_of_fact_has_words_or_is_known_to_be_silent():
    assert set(base.KINDS) == {fact.kind for fact, _ in SAID} | SILENT
    for fact, said in SAID:
        sentence = table_words.sentence(fact, NAMES.__getitem__)
        assert (said in sentence, bool(said)) == (True, bool(sentence)), (fact, sentence)
        sealed = base.redact(fact, base.RAIL)
        assert sealed == fact or not re.search(r"\[(Ah|Ks)\]", table_words.sentence(sealed, NAMES.__getitem__))


def words_in(path: str, method: str) -> set[str]:
    """The texts of one file that translators are given."""
    return {str(text) for _, text, _, _ in extract_from_file(method, settings.BASE_DIR / path, KEYWORDS)}


def test_translators_are_given_the_same_sentences_for_both_pages():
    of_script = words_in("games/static/games/play/words.js", "javascript")
    bots = {text for text in of_script if text.endswith(" bot")}
    assert len(of_script) > 60
    assert of_script - bots <= words_in("games/tables/words.py", "python")


def test_translators_get_every_text_that_scripts_mark():
    given = {message.id if isinstance(message.id, str) else message.id[0] for message in extract_catalog("djangojs")}
    for path in settings.BASE_DIR.glob("[a-z]*/static/**/*.js"):
        text = path.read_text("utf-8")
        marks = re.findall(r'\b(?:n?gettext|marked)\(\s*"([^"]+)"|\bpgettext\(\s*"[^"]+",\s*"([^"]+)"', text)
        # What stands within a template literal is not found there.
        assert {plain or meant for plain, meant in marks} <= given, path
        code = re.sub(r"^ *(?:/\*\*| \*|//).*$", "", text, flags=re.MULTILINE)
        literals = [re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "", text) for text in re.findall(r"`([^`]*)`", code)]
        assert not [text for text in literals if re.search(r"[A-Za-z]{2,}: ", text)], path


def faults(message) -> list[str]:
    """What is wrong with one text of a language."""
    said = message.id if isinstance(message.id, tuple) else (message.id,)
    told = message.string if isinstance(message.string, tuple) else (message.string,)
    if not all(told):
        return [f"not translated: {said[0]!r}"]
    known = {name for text in said for name in _NAMES.findall(text)}
    strange = {name for text in told for name in _NAMES.findall(text)} - known
    missing = set(_NAMES.findall(said[-1])) - set(_NAMES.findall(told[-1]))
    return [f"{said[0]!r}: {sorted(strange | missing)}"] if strange or missing else []


def test_every_offered_language_has_all_texts_with_the_same_placeholders(monkeypatch, capsys):
    updated = cache(command.updated_catalog)  # by the command once more
    monkeypatch.setattr(command, "updated_catalog", updated)
    for domain, texts in (("django", {"Skip to the content", "Before your turn"}), ("djangojs", {"Fold"})):
        assert texts <= {message.id for message in extract_catalog(domain)}
    wrong = []
    for code in (code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE):
        for domain in languages.DOMAINS:
            _, today = updated(code, domain)
            wrong += [f"{code}: {fault}" for message in today if message.id for fault in faults(message)]
    assert not wrong, "\n".join(wrong[:40])
    call_command("languages", count=True)
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 8
    assert all(line.endswith(" texts, 0 to be translated") for line in told)


def test_a_text_without_words_or_with_another_name_in_it_is_found(tmp_path):
    file = tmp_path / "django.po"
    file.write_text('msgid "{player} folds"\nmsgstr "{spieler} passt"\n\nmsgid "Fold"\nmsgstr ""\n', encoding="utf-8")
    with file.open("rb") as read:
        wrong = [fault for message in read_po(read) if message.id for fault in faults(message)]
    assert wrong == ["'{player} folds': ['{player}', '{spieler}']", "not translated: 'Fold'"]


def test_the_code_marks_whole_texts_for_translation():
    wrong = []
    for path in (each for room in ("cardroom", "games", "tournaments") for each in Path(room).rglob("*.py")):
        nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
        calls = [each for each in nodes if isinstance(each, ast.Call)]
        marked = {id(text): text for call in calls if getattr(call.func, "id", "") in _CALLS for text in call.args}
        said = [each for each in nodes if isinstance(each, ast.Constant) and id(each) not in marked]
        marked_calls = [call for call in calls if getattr(call.func, "id", "") in _CALLS and call.args]
        f_strings = [each for each in nodes if isinstance(each, ast.JoinedStr)]
        inside_f_strings = {id(node) for each in f_strings for node in ast.walk(each)}
        formats = [call.func.value for call in calls if getattr(call.func, "attr", "") == "format"]
        faulty = {
            "made while the room runs": [text for text in marked.values() if isinstance(text, ast.JoinedStr)],
            "not found in an f-string": [call for call in marked_calls if id(call) in inside_f_strings],
            "not marked": [each for each in said if str(each.value).startswith(_OWN_RULES)],
            "sentences.filled writes numbers": [text for text in formats if _NUMBERED.search(ast.unparse(text))],
        }
        wrong += [f"{path}:{each.lineno}: {why}" for why, texts in faulty.items() for each in texts]
    assert not wrong
