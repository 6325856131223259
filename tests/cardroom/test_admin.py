"""The operator: the books are shown and cannot be touched, and a database of another version is left alone."""

import pytest
from django.contrib import admin
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.urls import reverse

from tests.support.models import Account, Alarm, SealedView, Transfer, User
from tests.support.parts.cardroom import alarms, people, sealed_views
from tests.support.refusals import refused
from tests.support.sealed import open_view


@pytest.fixture
def one_of_each(north, now):
    people.sign_up_bonus(user=north, now=now)
    alarms.set(kind="act-clock", key="table:1", due_at=now, fence=1)
    sealed_views.note_look(view=open_view(north, now=now), subject="hand:41", now=now)


def address(model, page, *arguments):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=arguments)


def test_the_books_are_shown_and_not_changed_and_people_are_edited_and_never_deleted(admin_client, one_of_each):
    for model in (Account, Transfer, Alarm, SealedView, User):
        pk = model.objects.first().pk
        assert admin_client.get(address(model, "changelist")).status_code == 200
        assert admin_client.get(address(model, "change", pk)).status_code == 200
        assert admin_client.post(address(model, "delete", pk), {"post": "yes"}).status_code == 403
        if model is not User:
            assert admin_client.post(address(model, "change", pk), {}).status_code == 403
            assert admin_client.get(address(model, "add")).status_code == 403


def test_the_operator_reads_the_books_in_their_language(admin_client, one_of_each):
    page = admin_client.get(address(Account, "changelist"), headers={"accept-language": "de"}).content.decode()
    for word in ("Hauptbuch", "Überträge", "Saldo", "Einsichten in versiegelte Karten", "Guthaben"):
        assert word in page
    one = admin_client.get(
        address(User, "change", User.objects.get(username="north").pk), headers={"accept-language": "de"}
    ).content.decode()
    assert "Spielweise" in one
    assert "style of play" not in one.lower()


def test_no_screen_of_the_operator_shows_the_facts_of_a_hand():
    """Cards are in the facts and nowhere else; the row of a hand says when it was and how far it came."""
    shown = {model._meta.model_name for model in admin.site._registry}
    assert not {name for name in shown if "fact" in name}


def test_a_database_of_another_version_is_refused_in_words_before_anything_is_done():
    MigrationRecorder(connection).record_applied("games", "0002_of_another_day")
    words = r"games\.0002_of_another_day is unknown here(.|\n)*remove the folder \.run"
    refused(CommandError, words, call_command, "migrate", skip_checks=False, verbosity=0)
