"""The pages of tables, hands and rulebooks, and their resources."""

from cardroom.core.web.api import routes  # noqa: F401  knows what an <id:> is
from games.clubs.pages import api as club_api
from games.clubs.pages import clubs, leaderboard
from games.floor.pages import (
    board,
    dealer_api,
    floor,
    floor_api,
    lobby,
    lobby_api,
    offer_api,
    offers,
    private_tables,
    schedule_api,
    seat_api,
    seating,
    shifts,
    table_actions,
    table_api,
    tablet,
    window,
)
from games.floor.pages import calls as call_pages
from games.floor.pages import favourites as favourite_pages
from games.floor.pages import sections as section_pages
from games.play.pages import (
    company,
    hands,
    hands_api,
    home_games,
    own_hands,
    past_hands,
    proofs,
    proofs_api,
    table_chat,
    tables,
)
from games.rake.pages import jackpots as jackpot_pages
from games.rake.pages import time as time_pages
from games.reports.pages import reports as report_pages
from games.reports.pages import reports_api as report_api
from games.reports.pages import statements as statement_pages
from games.reports.pages import statements_api as statement_api
from games.reports.pages import statistics as statistics_pages
from games.training.pages import learn, practice, problems, rulebook_api, rulebooks, rulings
from games.waitlists import kiosk
from games.waitlists.pages import api as list_api
from games.waitlists.pages import floor as floors_lists
from games.waitlists.pages import players as players_lists

#: Modules with both pages and API resources.
_BOTH = (
    tables,
    table_chat,
    company,
    home_games,
    own_hands,
    past_hands,
    rulings,
    practice,
    time_pages,
    jackpot_pages,
    shifts,
    statistics_pages,
    call_pages,
    favourite_pages,
    section_pages,
    private_tables,
    window,
    problems,
)
_PAGES = (
    *_BOTH,
    report_pages,
    statement_pages,
    hands,
    proofs,
    seating,
    floor,
    lobby,
    board,
    offers,
    table_actions,
    clubs,
    leaderboard,
    players_lists,
    floors_lists,
    kiosk,
    tablet,
    learn,
    rulebooks,
)
_APIS = (
    hands_api,
    proofs_api,
    dealer_api,
    floor_api,
    lobby_api,
    seat_api,
    table_api,
    offer_api,
    schedule_api,
    club_api,
    list_api,
    rulebook_api,
    report_api,
    statement_api,
)

urlpatterns = [address for room in _PAGES for address in room.urlpatterns]
api = [address for room in (*_BOTH, *_APIS) for address in room.api]
