"""Every model, for Django to find: each room has its own."""

import cardroom.accounts.models
import cardroom.cage.models
import cardroom.core.models
import cardroom.ledger.models  # noqa: F401
