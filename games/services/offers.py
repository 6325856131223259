"""Games on offer: what tables are opened for and lists are kept of.

An edit counts from the next table that is opened on; open ones keep their settings until the floor has them take up the
new ones, see `tables.take_up`. A game that is withdrawn stays for the sake of its history. All for managers.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from cardroom.models import User
from cardroom.services import access, news, repeats, trail
from cardroom.services.errors import Conflict, Illegal, Invalid, NotFound, Stale
from cardroom.services.operations import operation, row_of
from games.models import Offer, Table
from games.services import offer_terms

ROLE = "manager"


@operation()
def create(*, by: User, now: datetime, key: str = "", **terms: Any) -> Offer:
    """Put a game on offer, last in the list. `terms`: see `offer_terms.USUAL`, which stands for what is not said.

    Refuses: `Forbidden` (no manager), `Invalid` (`errors`: by field what is wrong), `Conflict` (the name is taken).
    """
    access.require_role(by, ROLE)

    def make() -> Offer:
        whole = offer_terms.USUAL | terms
        offer_terms.check(whole)
        last = Offer.objects.aggregate(last=Max("place"))["last"]
        offer = Offer(**_clean(whole), place=0 if last is None else last + 1, made_at=now)
        _save(offer, force_insert=True)
        _note("create", offer, by=by, now=now, terms=_told(terms))
        return offer

    return repeats.made(Offer, make, by=by, key=key, verb="offers.create", now=now, **terms)


@operation(row_of(Offer, "offer_id"))
def edit(*, offer_id: int, by: User, now: datetime, version: int | None = None, key: str = "", **changes: Any) -> Offer:
    """Change what is named in `changes`. `version`: the one that the manager had in hand.

    Refuses as `create` does, and: `NotFound`, `Stale` (somebody changed it since), `Illegal` (between online and in the
    room, once tables were opened for it). Locks the offer.
    """

    def do(offer: Offer) -> bool:
        if version is not None and version != offer.version:
            raise Stale(f"{offer.name} was changed meanwhile: look at it again first.", "stale", version=offer.version)
        before = {name: getattr(offer, name) for name in offer_terms.USUAL}
        whole = before | changes
        if whole["drop_id"] == offer.drop_id and offer.drop is not None and offer.drop.retired_at is not None:
            offer_terms.check(whole | {"drop_id": None})
        else:
            offer_terms.check(whole)
        if whole["is_physical"] != offer.is_physical and Table.objects.filter(offer=offer).exists():
            raise Illegal(
                f"Tables were opened for {offer.name}: make another offer for the other kind.", "kind-is-fixed"
            )
        clean = _clean(whole)
        changed = {name: value for name, value in clean.items() if before[name] != value}
        for name, value in changed.items():
            setattr(offer, name, value)
        offer.version += bool(changed)
        if changed:
            _note("edit", offer, by=by, now=now, changes=_told(changed), before=_told(before, changed))
        return bool(changed)

    return _do("edit", offer_id, do, by=by, now=now, key=key, **changes)


@operation(row_of(Offer, "offer_id"))
def withdraw(*, offer_id: int, by: User, reason: str = "", now: datetime, key: str = "") -> Offer:
    """No longer on offer: no table is opened for it and no name taken on its list. Its open tables play on."""

    def do(offer: Offer) -> bool:
        was, offer.is_listed = offer.is_listed, False
        if was:
            _note("withdraw", offer, by=by, now=now, reason=reason)
        return was

    return _do("withdraw", offer_id, do, by=by, now=now, key=key, reason=reason)


@operation(row_of(Offer, "offer_id"))
def relist(*, offer_id: int, by: User, reason: str = "", now: datetime, key: str = "") -> Offer:
    """On offer again. `Invalid` where it could not be offered so today, such as by a retired schedule."""

    def do(offer: Offer) -> bool:
        if offer.is_listed:
            return False
        offer_terms.check({name: getattr(offer, name) for name in offer_terms.USUAL})
        offer.is_listed = True
        _note("relist", offer, by=by, now=now, reason=reason)
        return True

    return _do("relist", offer_id, do, by=by, now=now, key=key, reason=reason)


@operation()
def reorder(*, offer_ids: Sequence[int], by: User, now: datetime) -> list[Offer]:
    """Show the games in this order; those that are not named come after them, as they were.

    As they are already: nothing is done. Locks all offers."""
    access.require_role(by, ROLE)
    offers = {offer.pk: offer for offer in Offer.objects.select_for_update(no_key=True).order_by("pk")}
    if len(set(offer_ids)) < len(offer_ids) or not set(offer_ids) <= set(offers):
        raise Invalid("The order names games on offer, each once.", "bad-order")
    rest = sorted(set(offers) - set(offer_ids), key=lambda pk: (offers[pk].place, pk))
    ordered = [offers[pk] for pk in [*offer_ids, *rest]]
    if [offer.place for offer in ordered] == list(range(len(ordered))):
        return ordered
    for place, offer in enumerate(ordered):
        offer.place = place
    Offer.objects.bulk_update(ordered, ["place"])
    trail.note(verb="offers.reorder", subject="offers", by=by, now=now, order=[offer.pk for offer in ordered])
    news.tell("lobby", "lists", "board")
    return ordered


def _do(
    verb: str, offer_id: int, do: Callable[[Offer], bool], *, by: User, now: datetime, key: str, **content: Any
) -> Offer:
    access.require_role(by, ROLE)

    def make() -> Offer:
        rows = Offer.objects.select_related("drop").select_for_update(no_key=True, of=("self",))
        offer = rows.filter(pk=offer_id).first()
        if offer is None:
            raise NotFound("There is no such game on offer.", "no-such-offer")
        if do(offer):
            _save(offer)
        return offer

    return repeats.made(Offer, make, by=by, key=key, verb=f"offers.{verb}", now=now, offer=offer_id, **content)


def _save(offer: Offer, **how: bool) -> None:
    try:
        with transaction.atomic():
            offer.save(**how)
    except IntegrityError as error:
        raise Conflict(
            f"There is a game on offer called {offer.name} already.",
            "name-taken",
            errors={"name": ["This name is taken."]},
        ) from error
    news.tell("lobby", "lists", "floor", "board")


def _clean(terms: dict[str, Any]) -> dict[str, Any]:
    return terms | {"name": " ".join(terms["name"].split())}


def _told(terms: dict[str, Any], only: dict[str, Any] | None = None) -> dict[str, Any]:
    return {name: value for name, value in terms.items() if only is None or name in only}


def _note(verb: str, offer: Offer, *, by: User, now: datetime, reason: str = "", **details: Any) -> None:
    subject = f"offer:{offer.pk}"
    trail.note(verb=f"offers.{verb}", subject=subject, by=by, now=now, reason=reason, name=offer.name, **details)
