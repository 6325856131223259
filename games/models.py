"""Every model, for Django to find: each room has its own."""

import games.dealers.models
import games.rake.models
import games.reports.models
import games.rulebooks.models
import games.tables.models.offers
import games.tables.models.tables
import games.tables.models.terms
import games.tables.models.times
import games.training.models  # noqa: F401
