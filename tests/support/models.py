"""Every row that the room keeps, by its name: for tests that look into several rooms."""
# ruff: noqa: F403

from cardroom.accounts.models import *
from cardroom.cage.models import *
from cardroom.core.models import *
from cardroom.ledger.models import *
from games.clubs.models import *
from games.dealers.models import *
from games.floor.models import *
from games.play.models import *
from games.rake.models.drops import *
from games.rake.models.times import *
from games.reports.models import *
from games.rulebooks.models import *
from games.tables.models.offers import *
from games.tables.models.tables import *
from games.tables.models.times import *
from games.training.models import *
from games.waitlists.models import *
from tournaments.events.models import *
from tournaments.prizes.models import *
