"""Jackpots as people see them: what is in each, what hits it, how it is shared out, and who hit it."""

from dataclasses import dataclass, field

from django.db.models import QuerySet

from cardroom.models import Account, Approval
from games.engine.cards import parse_cards
from games.engine.ranking import name_of, value_of
from games.models import Jackpot, JackpotHit
from games.models.drops import backup_label, pool_label

#: Least hands that rooms use, worst first; any five cards will do.
LEAST_HANDS = (
    *("AsAhAd2s2h", "AsAhAdTsTh", "AsAhAdKsKh"),
    *("2s2h2d2c3s", "8s8h8d8c2s", "TsThTdTc2s", "JsJhJdJc2s", "QsQhQdQc2s", "AsAhAdAc2s"),
    "5s4s3s2sAs",
)


@dataclass(frozen=True)
class JackpotRow:
    """`chips`: what a hit now would pay. `claimed`: what hits that are being checked have a claim to."""

    jackpot: Jackpot
    chips: int
    claimed: int
    in_backup: int
    least: str
    waiting: list[JackpotHit] = field(default_factory=list)

    @property
    def table_percent(self) -> int:
        return 100 - self.jackpot.loser_percent - self.jackpot.winner_percent


def words_of(cards: str) -> str:
    """A hand in words."""
    return name_of(value_of(parse_cards(cards)))


def least_hands() -> list[tuple[str, str]]:
    """(cards, words) to choose from."""
    return [(cards, words_of(cards)) for cards in LEAST_HANDS]


def rows(*, with_closed: bool = False) -> list[JackpotRow]:
    """Every jackpot by name. Three queries, however many they are; one where there is none."""
    found = list(Jackpot.objects.all() if with_closed else Jackpot.objects.filter(state=Jackpot.State.LIVE))
    if not found:
        return []
    labels = [label for each in found for label in (pool_label(each.pk), backup_label(each.pk))]
    pools = Account.objects.filter(kind=Account.Kind.POOL, unit="cash", label__in=labels)
    held = dict(pools.values_list("label", "balance"))
    waiting: dict[int, list[JackpotHit]] = {}
    for hit in JackpotHit.objects.filter(state=JackpotHit.State.WAITING).select_related("table"):
        waiting.setdefault(hit.jackpot_id, []).append(hit)
    made = []
    for each in found:
        hits = waiting.get(each.pk, [])
        claimed = sum(hit.amount for hit in hits)
        in_main, in_backup = held.get(pool_label(each.pk), 0), held.get(backup_label(each.pk), 0)
        made.append(JackpotRow(each, in_main - claimed, claimed, in_backup, words_of(each.least_hand), hits))
    return made


def hits(*, jackpot_id: int | None = None) -> QuerySet[JackpotHit]:
    """Hits, newest first, with who got what."""
    found = JackpotHit.objects.select_related("jackpot", "table", "approval", "found_by")
    found = found.prefetch_related("shares__player").order_by("-pk")
    return found.filter(jackpot=jackpot_id) if jackpot_id is not None else found


def waiting_changes() -> list[Approval]:
    """Changes of jackpots that a second person has yet to decide, oldest first."""
    found = Approval.objects.filter(what="jackpot.change", verdict="").select_related("asked_by")
    return list(found.order_by("pk"))
