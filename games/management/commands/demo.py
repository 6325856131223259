"""Lay out the demo room: people to log in as, tables with house bots, and what other apps add (their module `demo`).

A second run adds what is missing.
"""

import logging
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib import import_module
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.core.management import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import module_has_submodule

from cardroom.accounts import people
from cardroom.accounts.people import wallet_balance
from cardroom.core.models import User
from games.demo import FOR_THE_DEMO, person
from games.play import opening, tables
from games.tables.models.tables import Table

STAFF = ("floor", "stud-on-the-floor", ("floor", "manager"))
DEALER = ("dealer", "burn-and-turn-1", ("dealer",))
PLAYERS = [("player1", "seven-cards-1"), ("player2", "seven-cards-2"), ("player3", "seven-cards-3")]
#: name, stakes, least and most buy-in, bots, whether they wait for a person, and whether a person deals
TABLES = [
    ("Harbour", opening.TableStakes(1, 2, 5, 10), (100, 500), 5, False, False),
    ("Chapel", opening.TableStakes(2, 3, 10, 20), (200, 1_000), 4, False, True),
    ("Lighthouse", opening.TableStakes(3, 5, 20, 40), (400, 2_000), 5, True, False),
    ("Open Sea", opening.TableStakes(10, 20, 75, 150), (1_500, 7_500), 3, True, False),
]
BROKE = 1_000


class Command(BaseCommand):
    help = "(Re)create the demo room: logins, cash tables and house bots."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--yes", action="store_true", help="also in a room that real people use")

    def handle(self, *, yes: bool, **options: Any) -> None:
        if not (yes or settings.DEBUG or _is_demo_or_empty()):
            raise CommandError(
                "This room has people of its own, and the demo would add logins whose passwords everybody knows. "
                "If that is what you want: manage.py demo --yes"
            )
        with _in_silence():
            text = _lay_out(timezone.now())
        self.stdout.write(text)


@contextmanager
def _in_silence() -> Iterator[None]:
    """Without the log lines of each step, which nobody reads here; faults are logged."""
    before = logging.root.manager.disable
    logging.disable(logging.INFO)
    try:
        yield
    finally:
        logging.disable(before)


def _lay_out(now: datetime) -> str:
    """Lay the room out. Returns a description of it, with the logins."""
    with transaction.atomic():
        logins = [
            _staff(now),
            person(*DEALER, now=now)[1],
            *(_player(name, password, now) for name, password in PLAYERS),
        ]
    laid_out = [_table(*row, now=now) for row in TABLES]
    lines: list[str] = []
    for app in apps.get_app_configs():
        if app.module is not None and module_has_submodule(app.module, "demo"):
            app_logins, app_lines = import_module(f"{app.name}.demo").lay_out(now=now)
            logins, lines = [*logins, *app_logins], [*lines, "", *app_lines]
    return _summary(logins, laid_out, lines)


def _is_demo_or_empty() -> bool:
    """Whether there is nobody but bots yet, or the demo's own people."""
    everybody = User.objects.filter(is_bot=False)
    return not everybody.exists() or everybody.filter(username=PLAYERS[0][0]).exists()


def _staff(now: datetime) -> tuple[str, str, str]:
    user, login = person(*STAFF, now=now)
    if user and not user.is_staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])
        labels = [app.label for app in apps.get_app_configs() if app.name.startswith(("cardroom", "games"))]
        looks = Permission.objects.filter(content_type__app_label__in=labels, codename__startswith="view_")
        user.user_permissions.set(looks)
    return login


def _player(name: str, password: str, now: datetime) -> tuple[str, str, str]:
    user, login = person(name, password, now=now)
    if user and wallet_balance(user) < BROKE:
        reference = f"demo:{user.pk}:{now:%Y%m%d%H%M%S%f}"
        people.issue_play_money(user=user, amount=people.BOT_CHIPS, reference=reference, reason=FOR_THE_DEMO(), now=now)
    return login


def _table(
    name: str,
    stakes: opening.TableStakes,
    buy_in: tuple[int, int],
    bots: int,
    do_wait: bool,
    is_dealt_by_person: bool,
    *,
    now: datetime,
) -> Table:
    table = Table.objects.filter(name=name).first()
    if table is not None:
        return tables.reopen(table_id=table.pk, now=now)
    return opening.open_table(
        name=name,
        stakes=stakes,
        min_buy_in=buy_in[0],
        max_buy_in=buy_in[1],
        bots=bots,
        bots_wait_for_people=do_wait,
        dealt_by=Table.DealtBy.PERSON if is_dealt_by_person else Table.DealtBy.AUTOMATIC,
        is_spoken=is_dealt_by_person,
        now=now,
    )


def _summary(logins: list[tuple[str, str, str]], laid_out: list[Table], more: list[str]) -> str:
    lines = ["", "Log in as        password              role"]
    lines += [f"  {name:<15}{password:<22}{role}" for name, password, role in logins]
    lines += ["", "Tables (Seven-Card Stud, fixed limit, play money)"]
    for table in laid_out:
        bots = "wait for you" if table.bots_wait_for_people else "are playing already"
        bots = "wait for a dealer" if table.is_dealt_by_person else bots
        lines.append(
            f"  {table.name:<15}{table.stakes:<10}buy-in {table.min_buy_in:,} to {table.max_buy_in:,}; bots {bots}"
        )
    lines += [
        *more,
        "",
        f"First: log in as {PLAYERS[0][0]}, open the table {laid_out[0].name} and take a free seat.",
        "You are dealt into the next hand. A second browser can sit beside you as another player.",
        f"To deal yourself: log in as {DEALER[0]} and take {laid_out[1].name}; the floor's console is at /floor/.",
    ]
    return "\n".join(lines)
