"""What was sealed, written down for somebody outside: `verifier` checks it by the head of a seal and nothing else.

Lines of text, columns parted by tabs. "row" and "end": a table, and the line of one of its rows as it is when it is
written down, or at its end. "seal": its number, its head, its HMAC and its content, which cover the lines since the
seal before it. Facts of hands are not in it, only the chain of each hand, so that it holds no card.
"""

import json
from typing import TextIO

from cardroom.core.database import guards
from cardroom.core.history import rows
from cardroom.core.models import HistorySeal


def export(file: TextIO, *, head: str = "") -> int:
    """Write down what the seals cover, up to the one of this head; returns the number of seals."""
    count = 0
    for seal in HistorySeal.objects.order_by("number").iterator():
        for table, part in json.loads(seal.content)["tables"].items():
            guard = guards.GUARDED[table]
            if "upto" in part:
                whole = rows.range_of(guard.model, after=part["after"], upto=part["upto"])
                for _, row in rows.values(whole, part["columns"]):
                    file.write(f"row\t{table}\t{rows.line(row).decode()}\n")
            if "ended" in part:
                for _, line in rows.last_lines(table, guard, part["ended"], part["ended_columns"]):
                    file.write(f"end\t{table}\t{line.decode()}\n")
        file.write(f"seal\t{seal.number}\t{seal.head}\t{seal.mac}\t{seal.content}\n")
        count += 1
        if seal.head == head:
            break
    return count
