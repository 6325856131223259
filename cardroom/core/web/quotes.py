"""Template filter for what somebody wrote: in the quotation marks of the reader's language."""

from django.template import Library
from django.utils.translation import gettext

register = Library()


@register.filter(is_safe=True)
def quoted(words: str) -> str:
    return gettext("“{words}”").format(words=words)
