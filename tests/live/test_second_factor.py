"""Sockets of a room that asks its staff for a second factor."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.utils import timezone

from cardroom.services import access, tokens
from tests.live.conftest import a_room, written_to


@pytest.fixture(scope="module")
def room(tmp_path_factory, _migrated_database, django_db_blocker):
    given = {"CARDROOM_STAFF_FACTOR": "true"}
    with a_room(tmp_path_factory, _migrated_database, **given) as here, written_to(here, django_db_blocker):
        yield here


def test_staff_without_a_second_factor_has_no_socket_by_session_or_token(open_table, somebody, watch):
    table, dealer, player = open_table(), somebody(), somebody()
    access.grant_role(user=dealer, role="dealer", by=None)
    _, secret = tokens.issue(user=dealer, name="a program", scopes=["read"], now=timezone.now())
    for socket in (watch(table, dealer), watch(table, token=secret)):
        told = socket.until_type("refused")
        assert (told["status"], told["code"], socket.closing_code()) == (403, "second-factor", 4403)
    assert watch(table, player).until_type("snapshot")
    TOTP.activate(dealer, generate_totp_secret())
    assert watch(table, dealer).until_type("snapshot")
    assert watch(table, token=secret).until_type("snapshot")
