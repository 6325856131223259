"""The tasks of tables: each calls a service and does nothing else."""

from collections.abc import Callable
from typing import Any

import structlog
from celery import shared_task
from django.utils import timezone

from cardroom.core import alarms
from games.dealers import downs
from games.play import home_games, moving, playtime, receivers, turns
from games.rake import comps, jackpot_growth, time_charges
from games.reports import by_mail, reports
from games.tables import holds, waking
from games.training.problems import making as problems
from games.waitlists import filling

log = structlog.get_logger(__name__)


def _rings(name: str, does: Callable[[str, int], object], *, is_done: bool = True) -> Any:
    """The task of an alarm: calls `does` with the alarm's key and fence. Where not `is_done`, the service itself sets
    the next alarm in place of this one, or cancels it."""

    @shared_task(name=f"games.tasks.{name}")
    def ring(kind: str, key: str, fence: int) -> None:
        does(key, fence)
        if is_done:
            alarms.done(kind=kind, key=key, fence=fence)

    return ring


alarms.register_rows("table", waking.claim_tasks)


@shared_task(name="games.tasks.wake_table")
def wake_table(table: int, version: int) -> None:
    """A table that `waking` claimed: a clock has run out, or the next hand is due."""
    receivers.wake(table_id=table, fence=version)


@shared_task(name="games.tasks.wake_bots")
def wake_bots(tables: list[tuple[int, int]]) -> None:
    """Tables at which a bot is to act. One that fails keeps no other; its claim lapses."""
    for table, version in tables:
        try:
            receivers.wake(table_id=table, fence=version)
        except Exception:
            log.exception("a bot could not act", table=table)


end_hold = _rings("end_hold", lambda key, fence: holds.expire(hold_id=int(key)))
#: When the hand is over that a player's move waited for.
move_seat = _rings("move_seat", lambda key, fence: moving.wake(seat_id=int(key)))
grow_jackpot = _rings(
    "grow_jackpot", lambda key, fence: jackpot_growth.ring(jackpot_id=int(key), fence=fence, now=timezone.now())
)
collect_time = _rings("collect_time", lambda key, fence: time_charges.ring(table_id=int(key), fence=fence))
#: When a player has left, or a day is over.
credit_comps = _rings(
    "credit_comps", lambda key, fence: comps.credit(table_id=int(key.split(":")[0]), player_id=int(key.split(":")[1]))
)
#: A reminder how long a player has been playing, or the end of their own limit of time.
tell_play_time = _rings("tell_play_time", lambda key, fence: playtime.remind_or_take_off(player_id=int(key)))
look_at_home_game = _rings(
    "look_at_home_game", lambda key, fence: home_games.look_at(table_id=int(key), now=timezone.now())
)
look_at_lists = _rings("look_at_lists", lambda key, fence: filling.wake(key=key, now=timezone.now()))
#: When the time of a call is over, or the hand it waited for may be.
end_call = _rings("end_call", lambda key, fence: filling.wake_call(entry_id=int(key), fence=fence, now=timezone.now()))
add_up_days = _rings("add_up_days", lambda key, fence: reports.add_up_due(now=timezone.now()), is_done=False)
mail_reports = _rings("mail_reports", lambda key, fence: by_mail.send_due_reports(key=key, now=timezone.now()))
dealer_push = _rings("dealer_push", lambda key, fence: downs.ring(down_id=int(key)))
dealer_break = _rings("dealer_break", lambda key, fence: downs.ring_break(duty_id=int(key), fence=fence))


@shared_task(name="games.tasks.push_turns")
def push_turns() -> None:
    """Push a message about their turn to players who have no page in sight."""
    turns.push(now=timezone.now())


@shared_task(name="games.tasks.make_problem")
def make_problem() -> None:
    """Make the problem of the day for today, and in time the one for tomorrow."""
    problems.make_due(now=timezone.now())
