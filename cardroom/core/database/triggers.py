"""What both dialects of the guards share: what a trigger is, and a text within a statement."""

#: The name of a trigger, its table, and the statement that creates it.
Trigger = tuple[str, tuple[str, str]]


def quoted(text: str) -> str:
    """A text for between two apostrophes of a statement."""
    return text.replace("'", "''")
