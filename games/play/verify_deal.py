#!/usr/bin/env python3
"""Check that the cards of a hand are those of a deck that was committed to before the deal.

    python verify_deal.py proof.json
    python verify_deal.py proof.json --root ROOT         the commitment as you saw it yourself, before the deal
    python verify_deal.py proof.json --cut "YOUR CUT"    your own cut has to be among those that were mixed in
    python verify_deal.py proof.json --hand hand.phh     every card that your record of the hand names has to be proven

One file, standard library only (Python 3.8 or later): keep it, read it, run it where you trust the machine. It prints
what it found; its exit code is 0 where everything holds, 1 where something does not, 2 where a file cannot be read.

The scheme, "cardroom-deal-1". H is SHA-256, X is SHAKE-256, || joins bytes.

1. The room shuffles a deck and gives each card a salt of 16 bytes. Leaf i (0 to 51, top card first) is
   H(0x00 || "cardroom-deal-1" || byte(i) || card in two letters || salt). Leaf 52 has, in place of card and salt, the
   32 bytes of a key from which a second shuffle follows. A node is H(0x01 || left || right); the tree over the 53
   leaves is that of RFC 9162. Its root is told before the hand begins: in the hand before, where there was one.
2. Players may cut: each sends words of their own, of which H is told. Those that came before the hand began turn the
   deck: position p of the deck as it is dealt is leaf order("cut", root || for each cut: byte(seat) || H(words))[p],
   and leaf p where nobody cut.
3. order(label, key) is a Fisher-Yates shuffle of 0 to n-1, from the top index down: for i the bytes of
   X("cardroom-deal-1:" || label || ":" || key) are read one by one; a byte of 256 - 256 mod (i + 1) or more is left
   out, any other is taken modulo i + 1 and says with which place i changes.
4. Where the deck runs short, what is left of it, the burns and the cards set aside are mixed again: they lie in the
   order in which their positions stand in order("mixing", key of leaf 52).
"""

import argparse
import hashlib
import json
import re
import sys

SCHEME = "cardroom-deal-1"
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
#: Leaves of the tree: the cards, and the key of the second shuffle.
LEAVES = 53
MIXING = 52


def stream(label, key, count):
    """`count` bytes that follow from a key and cannot be told from chance without it."""
    return hashlib.shake_256(b"%s:%s:%s" % (SCHEME.encode(), label.encode(), key)).digest(count)


def order(label, key, count=52):
    """0 to `count` - 1 in the order that follows from a key; each of all orders is as likely as any other."""
    places = list(range(count))
    data, at = stream(label, key, 128), 0
    for i in range(count - 1, 0, -1):
        least_left_out = 256 - 256 % (i + 1)
        while True:
            if at == len(data):
                data = stream(label, key, 2 * len(data))
            byte = data[at]
            at += 1
            if byte < least_left_out:
                break
        j = byte % (i + 1)
        places[i], places[j] = places[j], places[i]
    return places


def leaf(index, content):
    """The hash of a leaf: of a card with its salt, or of the key of the second shuffle."""
    return hashlib.sha256(b"\x00%s%c%s" % (SCHEME.encode(), index, content)).digest()


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_of(index, reached, path, count=LEAVES):
    """The root that a leaf and its path lead to; None for a path that is none of this leaf."""
    last = count - 1
    for other in path:
        if not last:
            return None
        if index % 2 or index == last:
            reached = node(other, reached)
            while index and index % 2 == 0:
                index, last = index // 2, last // 2
        else:
            reached = node(reached, other)
        index, last = index // 2, last // 2
    return None if last else reached


def cut_hash(words):
    """The published hash of the words of a cut."""
    return hashlib.sha256(words.encode()).hexdigest()


def leaves_of(root, cuts):
    """The leaf at each position of the deck as it is dealt: the cuts, (seat, hash) in order, turn it."""
    if not cuts:
        return list(range(52))
    return order("cut", bytes.fromhex(root) + b"".join(b"%c%s" % (seat, bytes.fromhex(cut)) for seat, cut in cuts))


class CheckResult:
    """The result of a check: `faults`; the `proven` cards, with their positions in the deck; `notes` on what this proof
    does not show."""

    def __init__(self):
        self.faults, self.notes, self.proven = [], [], {}


def check(proof):
    """Check a proof. Raises only `ValueError`, `KeyError` and `TypeError`, where it is not a proof."""
    result = CheckResult()
    if proof["scheme"] != SCHEME:
        result.faults.append(f"the scheme {proof['scheme']!r} is not known to this program")
        return result
    root = proof["root"]
    bottom = leaves_of(root, proof["cuts"])
    for entry in proof["cards"]:
        _check_card(result, root, bottom, entry)
    mixing = _mixing_order(result, root, proof["mixing"]) if proof["mixing"] else None
    _check_moves(result, proof["moves"], mixing)
    return result


def _check_card(result, root, bottom, entry):
    card, position, index = entry["card"], entry["position"], entry["leaf"]
    if card not in CARDS or not 0 <= position < 52 or not 0 <= index < 52:
        result.faults.append(f"{card}: there is no such card, position or leaf")
        return
    if card in result.proven or position in result.proven.values():
        result.faults.append(f"{card} at position {position} is there twice")
        return
    salt = bytes.fromhex(entry["salt"])
    if len(salt) != 16:
        result.faults.append(f"{card}: its salt is not 16 bytes long")
    if bottom[position] != index:
        result.faults.append(f"{card}: position {position} is leaf {bottom[position]}, not {index}")
    reached = root_of(index, leaf(index, card.encode() + salt), [bytes.fromhex(other) for other in entry["path"]])
    if reached is None or reached.hex() != root:
        result.faults.append(f"{card} at position {position} is not what the root commits to")
    result.proven[card] = position


def _mixing_order(result, root, mixing):
    key = bytes.fromhex(mixing["key"])
    reached = root_of(MIXING, leaf(MIXING, key), [bytes.fromhex(other) for other in mixing["path"]])
    if len(key) != 32 or reached is None or reached.hex() != root:
        result.faults.append("the second shuffle is not what the root commits to")
    return order("mixing", key)


def _check_moves(result, moves, mixing):
    """Every card came off the top of the deck, and those that are named are those that are proven."""
    stub, away, early, named = list(range(52)), [], [], {}
    for move in moves:
        what, cards = move["what"], move.get("cards", [])
        positions = [position for _, position, _, _ in cards] + move.get("positions", [])
        named.update({card: position for _, position, card, _ in cards if card is not None})
        if what == "mixed":
            expected = sorted(stub + away, key=mixing.index) if mixing else None
            if expected is None:
                result.notes.append("the deck was mixed again, and the proof does not say how")
            elif positions != expected:
                result.faults.append("the second shuffle was not mixed as it was committed to")
            stub, away = positions, []
        elif what == "put-right":
            back = move["back"]
            before, after = sorted(stub[: move["taken"]] + move["were"]), sorted(positions + back)
            if before != after or set(move["were"]) & set(stub):
                result.faults.append("a mistake was put right with other cards than those that were out")
            stub = back + stub[move["taken"] :]
            away = [position for position in away if position not in before] + move.get("positions", [])
            result.notes.append("a dealer's mistake was put right: which card went where is as the floor ruled")
        elif what == "kept":
            early = [position for position in early if position not in positions]
        else:
            if stub[: len(positions)] != positions:
                result.faults.append(f"{what}: cards came that were not on top of the deck")
            stub = [position for position in stub if position not in positions]
            if what == "too-soon":
                early += positions
            elif what == "aside":
                away, early = away + early + positions, []
            elif what == "burned":
                away += positions
    for card in sorted(set(named) | set(result.proven)):
        if named.get(card) != result.proven.get(card):
            result.faults.append(f"{card} was dealt, and is not proven to have lain there")


_CARD = "(?:[2-9TJQKA][cdhs])"


def named_in(text):
    """(the cards that a record of the hand names, the commitment in it or None). A record is PHH, or the facts of the
    hand as the room's API tells them."""
    try:
        facts = json.loads(text)
    except ValueError:
        actions = re.findall("""["']([^"'\\n]*)["']""", text)
        dealt = [action for action in actions if re.match(r"(d dh p\d+|d db|p\d+ sm) ", action)]
        return set(re.findall(_CARD, " ".join(action.split("#")[0].split(" ", 2)[-1] for action in dealt))), None
    cards, root = set(), None
    for fact in facts["facts"]:
        kind, data = fact["kind"], fact["data"]
        if kind == "shuffle-committed":
            root = data["root"]
        if kind in ("cards-dealt", "prematurely-dealt", "cards-put-right"):
            cards.update(card for _, card, _ in data["cards"])
        if kind in ("hand-shown", "hand-tabled"):
            cards.update(data["cards"])
        if kind in ("common-card-dealt", "premature-card-kept"):
            cards.add(data["card"])
    return {card for card in cards if card in CARDS}, root


def check_record(result, proof, text):
    """Every card in a player's own record of the hand has to be proven."""
    cards, root = named_in(text)
    if root is not None and root != proof["root"]:
        result.faults.append(f"your record of the hand has another commitment: {root}")
    for card in sorted(cards - set(result.proven)):
        result.faults.append(f"{card} is in your record of the hand, and is not proven")
    if not cards:
        result.notes.append("your record of the hand names no card")


def written(result, proof, words):
    """The report that the program prints."""
    lines = [f"{proof.get('title', 'A hand')}, commitment {proof['root']}"]
    lines.append(
        "The commitment was told in the hand before."
        if proof.get("was_told_before")
        else "The commitment was told when the hand began, as its first fact: nobody could cut."
    )
    cuts = proof["cuts"]
    lines.append(f"Cut by seat {', '.join(str(seat) for seat, _ in cuts)}." if cuts else "Nobody cut.")
    dealt = [(seat, card) for move in proof["moves"] for seat, _, card, _ in move.get("cards", []) if card]
    for seat in sorted({seat for seat, _ in dealt}):
        whose = f"Seat {seat}" if seat else "In the middle"
        you = " (you)" if seat and seat == proof.get("seat") else ""
        lines.append(f"{whose}{you}: {' '.join(card for other, card in dealt if other == seat)}")
    lines += [f"Note: {note}." for note in dict.fromkeys(result.notes + words)]
    lines += [f"FAULT: {fault}." for fault in result.faults]
    count = len(result.proven)
    if result.faults:
        lines.append("This proof does not hold.")
    else:
        lines.append(f"These were the cards: all {count} that you were shown lay where the commitment says.")
    return "\n".join(lines)


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Check the cards of a hand against the commitment to its shuffle.")
    parser.add_argument("proof", help="the proof, as the room gave it to you")
    parser.add_argument("--root", help="the commitment as you saw it before the deal")
    parser.add_argument("--cut", help="the words with which you cut")
    parser.add_argument("--hand", help="your record of the hand: PHH, or its facts in JSON")
    options = parser.parse_args(arguments)
    try:
        with open(options.proof, encoding="utf-8") as file:
            proof = json.load(file)
        record = None
        if options.hand:
            with open(options.hand, encoding="utf-8") as file:
                record = file.read()
        result, words = check(proof), []
        if options.root and options.root.lower() != proof["root"]:
            result.faults.append(f"you saw another commitment: {options.root}")
        if options.cut is not None and cut_hash(options.cut) not in [cut for _, cut in proof["cuts"]]:
            result.faults.append("your cut is not among those that were mixed in")
        if not options.root:
            words.append("compare the commitment with the one you saw before the deal, or pass it as --root")
        if record is not None:
            check_record(result, proof, record)
        sys.stdout.write(written(result, proof, words) + "\n")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        sys.stderr.write(f"This cannot be read: {type(error).__name__}: {error}\n")
        return 2
    return 1 if result.faults else 0


if __name__ == "__main__":
    sys.exit(main())
