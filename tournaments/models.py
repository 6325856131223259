"""Every model, for Django to find: each room has its own."""

import tournaments.events.models
import tournaments.prizes.models  # noqa: F401
