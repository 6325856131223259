"""Checks an export of a room's history by the head of a seal. It needs Python and nothing else.

    python verifier.py EXPORT --seal HEAD [--key-file FILE]

EXPORT is what `manage.py audit --export` wrote; HEAD is the head of a seal as you got it from outside the room: by
mail, or from the file of heads. With the room's key (a file that holds CARDROOM_HISTORY_KEY) the seals' HMACs are
checked as well, which shows that the room made each of them. Exit code 1 on any fault.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator

_FIRST = "0" * 64


def faults(lines: Iterable[str], head: str, keys: dict[str, bytes] | None = None) -> Iterator[str]:
    """From where on an export is not what was sealed, in words; nothing where it is."""
    before, number = _FIRST, 0
    digests: dict[tuple[str, str], hashlib._Hash] = defaultdict(hashlib.sha256)
    for text in lines:
        kind, *columns = text.rstrip("\n").split("\t", 2 if not text.startswith("seal") else 4)
        if kind != "seal":
            table, line = columns
            digests[kind, table].update(line.encode() + b"\n")
            continue
        number += 1
        its_number, its_head, mac, content = columns
        if hashlib.sha256(content.encode()).hexdigest() != its_head:
            yield f"seal {its_number} is not what its head says"
            return
        sealed = json.loads(content)
        if sealed["previous"] != before or sealed["number"] != number:
            yield f"seal {its_number} does not follow the one before it"
            return
        if keys is not None and not _is_authentic(its_head, mac, keys):
            yield f"seal {its_number} was not made with this key"
            return
        for table, part in sealed["tables"].items():
            if "digest" in part and digests["row", table].hexdigest() != part["digest"]:
                yield f"rows {part['after'] + 1} to {part['upto']} of {table} are not as seal {number} has them"
            if "ended_digest" in part and digests["end", table].hexdigest() != part["ended_digest"]:
                yield f"rows of {table} that came to their end are not as seal {number} has them: {part['ended']}"
        if unsealed := {table for _, table in digests} - sealed["tables"].keys():
            yield f"there are rows that seal {number} does not cover: {', '.join(sorted(unsealed))}"
        digests.clear()
        before = its_head
        if its_head == head:
            return
    yield f"there is no seal {head}"


def keys_of(setting: str) -> dict[str, bytes]:
    """The keys of a setting by their numbers: "2:<text>,1:<text>"."""
    parts = (part.strip().partition(":") for part in setting.split(",") if part.strip())
    return {number: key.encode() for number, _, key in parts}


def _is_authentic(head: str, mac: str, keys: dict[str, bytes]) -> bool:
    number, _, digest = mac.partition(":")
    key = keys.get(number)
    return key is not None and hmac.compare_digest(hmac.new(key, head.encode(), "sha256").hexdigest(), digest)


def main() -> int:
    parser = argparse.ArgumentParser(description="Check an export of a room's history by the head of a seal.")
    parser.add_argument("export")
    parser.add_argument("--seal", required=True, metavar="HEAD")
    parser.add_argument("--key-file")
    arguments = parser.parse_args()
    keys = None
    if arguments.key_file:
        with open(arguments.key_file, encoding="ascii") as file:
            keys = keys_of(file.read().strip())
    with open(arguments.export, encoding="utf-8", newline="\n") as file:
        differences = list(faults(file, arguments.seal, keys))
    for fault in differences:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write("history is not what was sealed\n" if differences else "history is as it was sealed\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
