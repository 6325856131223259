"""Words that people add to what they do."""

from cardroom.services.errors import Invalid


def plain(text: str, name: str, *, most: int) -> str:
    """What somebody wrote, trimmed; `Invalid` where it is too long or holds what no keyboard writes."""
    text = " ".join(text.split())
    if len(text) > most or not text.isprintable():
        raise Invalid(f"The {name} is text of at most {most} characters.", f"bad-{name}")
    return text
