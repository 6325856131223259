"""`Idempotency-Key`: the name a client gives to a request, so that sending it once more does nothing twice."""

import re

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from cardroom.services.errors import Invalid

HEADER = "Idempotency-Key"
#: What may be a key, as a regular expression.
KEY = "[A-Za-z0-9_.:-]{1,60}"

PARAMETER = OpenApiParameter(
    name=HEADER,
    location=OpenApiParameter.HEADER,
    type={"type": "string", "pattern": f"^{KEY}$"},
    description="Your own name for this request. The same one again changes nothing and gets the first answer.",
)


def key_of(request: Request) -> str:
    """The key that came with a request, "" where none did; refuses (`Invalid`) one that is no key."""
    key = request.headers.get(HEADER)
    if key is None:
        return ""
    if not re.fullmatch(KEY, key):
        raise Invalid(f"{HEADER} is 1 to 60 letters, digits and . : _ -", "bad-key")
    return key
