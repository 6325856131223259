"""What people are told: once on their pages, once by mail, once by text message."""

import json
import socket
import stat
import subprocess
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from structlog.testing import capture_logs

from tests.support.models import Alarm, Member, User
from tests.support.offers import staff
from tests.support.parts.cardroom import NotFound, members, notices, outbox, people, texting
from tests.support.refusals import refused

NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("ann", email="ann@room.example")


def _tell(player, **more):
    return notices.tell(player=player, kind="called", text="Your seat is ready.", now=NOW, is_sent=True, **more)


def _sent(told, now=NOW):
    return outbox.send(key=str(told.pk), now=now)


def test_it_is_mailed_once_and_only_to_who_wants_mail(ann):
    told = _tell(ann)
    assert Alarm.objects.filter(kind=notices.ALARM, key=str(told.pk)).exists()
    assert (_sent(told), _sent(told)) == (["mail"], [])
    assert [message.body for message in mail.outbox] == ["Your seat is ready."]
    people.set_preferences(by=ann, wants_mail=False)
    assert _sent(_tell(ann)) == []


def test_old_news_is_not_sent_and_a_mail_that_cannot_be_sent_is_not_tried_again(ann, monkeypatch):
    assert _sent(_tell(ann), now=NOW + timedelta(hours=3)) == []
    told = _tell(ann)

    def broken(self, messages):
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", broken)
        assert _sent(told) == []
    assert _sent(told) == []


def test_a_notice_is_sent_once_until_its_reader_reads_it(ann):
    told, again = (_tell(ann, key="call:7:1") for _ in range(2))
    assert (again, _tell(people.make_bot(name="Robo", personality="tight", now=NOW))) == (None, None)
    assert notices.unread(ann) == [told]
    refused(NotFound, notices.read, by=User.objects.create_user("bob"), notice_id=told.pk, now=NOW)
    notices.put_away([ann.pk], key_prefix="call:7:", now=NOW)
    assert (notices.unread(ann), notices.newest(ann)) == ([], [told])


def test_the_command_gets_the_number_and_the_text_and_is_called_once(ann, settings, tmp_path):
    out, command = tmp_path / "out", tmp_path / "send"
    command.write_text(f'#!/bin/sh\necho "$1" >> {out}\ncat >> {out}\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    settings.CARDROOM_SMS_COMMAND = str(command)
    told = _tell(ann, data={"phone": "+34 (600) 10.20-30"})
    assert "text" in _sent(told)
    assert (_sent(told), out.read_text()) == ([], "+34600102030\nYour seat is ready.")
    for number in ("call me", "12"):
        assert not texting.send(to=number, text="x", name="t")
    settings.CARDROOM_SMS_COMMAND = "/no/such/command"
    assert not texting.send(to="600102030", text="x", name="t")


def test_no_telephone_number_gets_into_the_log(settings, monkeypatch):
    def hangs(command, **_):
        raise subprocess.TimeoutExpired(command, 10)

    settings.CARDROOM_SMS_COMMAND = "send"
    monkeypatch.setattr(subprocess, "run", hangs)
    with capture_logs() as told:
        assert not texting.send(to="600102030", text="x", name="t")
    assert [line["log_level"] for line in told] == ["error"]
    assert not any(line.get("exc_info") or "600102030" in str(line) for line in told)


def test_the_webhook_gets_a_signed_request(settings):
    got = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got.append((body, self.headers[texting.SIGNATURE]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *said: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Hook)
    thread = Thread(target=server.handle_request)
    thread.start()
    settings.CARDROOM_SMS_WEBHOOK = f"http://127.0.0.1:{server.server_port}/"
    assert texting.send(to="600102030", text="Your seat", name="notice:1")
    thread.join(10)
    server.server_close()
    body, signed = got[0]
    assert json.loads(body) == {"id": "notice:1", "to": "600102030", "text": "Your seat"}
    assert signed == f"sha256={texting.signature(body)}"
    settings.CARDROOM_SMS_WEBHOOK = "ftp://nowhere"
    assert not texting.send(to="600102030", text="Your seat", name="notice:1")


@pytest.mark.parametrize("answer", [b"nonsense\r\n\r\n", b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\n\r\n", b""])
def test_a_webhook_that_answers_nonsense_or_sends_elsewhere_has_not_sent_the_message(settings, answer):
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            for patience, said in ((10, answer), (0.2, b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")):
                server.settimeout(patience)
                with suppress(TimeoutError), server.accept()[0] as taken:
                    asked.append(taken.recv(10_000))
                    taken.sendall(said)

        thread = Thread(target=serve)
        thread.start()
        settings.CARDROOM_SMS_WEBHOOK = f"http://127.0.0.1:{server.getsockname()[1]}/"
        assert not texting.send(to="600102030", text="Your seat", name="notice:1")
        thread.join(10)
    assert len(asked) == 1


def test_a_text_goes_to_the_number_of_the_member_where_no_other_was_given(ann, settings, monkeypatch):
    sent = []
    settings.CARDROOM_SMS_COMMAND = "send"
    monkeypatch.setattr(texting, "send", lambda **said: sent.append(said["to"]) or True)
    members.register(player=ann, by=staff("cashier"), now=NOW, name="Ann North", phone="+34 600 10 20 30")
    assert _sent(_tell(ann)) == ["mail", "text"]
    assert sent == [Member.objects.get(player=ann).phone]
