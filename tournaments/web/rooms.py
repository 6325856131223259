"""All that is declared about events: the pages, and the verbs and what can be looked at."""

from itertools import chain

from tournaments.web import clock, deals, directing, events, leagues, prizes, registration, series, templates, tickets

_ROOMS = (events, registration, directing, clock, prizes, deals, templates, series, leagues, tickets)

PAGES = list(chain.from_iterable(room.PAGES for room in _ROOMS))
DECLARED = list(chain.from_iterable(room.DECLARED for room in _ROOMS))
