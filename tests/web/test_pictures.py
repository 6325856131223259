"""Pictures that players bring: drawn anew, shown beside their name, reported and removed."""

import json
import warnings
from base64 import b64encode
from io import BytesIO

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from PIL import Image, PngImagePlugin

from tests.support.models import Notice, Picture, StaffAction, User
from tests.support.offers import staff
from tests.support.pages import assert_hides, assert_shows, get, html_of, json_of
from tests.support.parts.cardroom import Invalid, look, pictures
from tests.support.refusals import refused

RED, BLUE = (200, 20, 20), (20, 20, 200)


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("ann")


def in_two_halves(kind: str, size=(400, 200), **how) -> bytes:
    """The upper half red, the lower blue."""
    drawn = Image.new("RGB", size, RED)
    drawn.paste(BLUE, (0, size[1] // 2, *size))
    out = BytesIO()
    drawn.save(out, kind, **how)
    return out.getvalue()


def colours(body: bytes) -> list[str]:
    """What it shows in the middle of its upper, left, lower and right edges."""
    with Image.open(BytesIO(body)) as shown:
        assert (shown.format, shown.size) == ("WEBP", (256, 256))
        said = [shown.convert("RGB").getpixel(at) for at in ((128, 20), (20, 128), (128, 236), (236, 128))]
    return ["red" if red > blue else "blue" for red, _, blue in said]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_is_drawn_anew_as_a_square_without_what_the_file_says(ann, kind):
    exif = Image.Exif()
    exif[0x010F] = "A camera of mine"
    exif[0x0112] = 6  # turned: its upper edge is on the right
    said = {"exif": exif.tobytes()}
    if kind == "PNG":
        said["pnginfo"] = PngImagePlugin.PngInfo()
        said["pnginfo"].add_text("Author", "A camera of mine")
    made = pictures.upload(by=ann, body=in_two_halves(kind, **said))
    shown = colours(made.body)
    assert (shown[1], shown[3], len(made.body) < 30_000) == ("blue", "red", True)
    assert b"camera" not in made.body
    with Image.open(BytesIO(made.body)) as found:
        assert not found.getexif()
        assert found.info.keys() <= {"loop", "background", "timestamp", "duration"}


def test_what_is_no_picture_or_too_large_is_refused(ann):
    def drawn(mode: str, size: int, kind: str) -> bytes:
        out = BytesIO()
        Image.new(mode, (size, size)).save(out, kind)
        return out.getvalue()

    bomb = drawn("1", 10_000, "PNG")  # in some kilobytes
    cut = in_two_halves("PNG", (300, 300))[:120]
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    for body, words in [
        (b"", "Choose a picture"),
        (b"x" * (pictures.MOST_BYTES + 1), "at most 2 MB"),
        (bomb, "million pixels"),
        *((odd, "cannot be read") for odd in (drawn("RGB", 9, "GIF"), svg, cut, b"no")),
    ]:
        refused(Invalid, words, pictures.upload, by=ann, body=body)
    assert not Picture.objects.exists()


def bomb() -> bytes:
    """A lossless WebP of 5,000 x 5,000 pixels, in a kilobyte."""
    out = BytesIO()
    Image.new("RGB", (5_000, 5_000)).save(out, "WEBP", lossless=True)
    assert len(out.getvalue()) < 1_100
    return out.getvalue()


def with_canvas(width: int, height: int) -> bytes:
    """The head of a WebP that has more than one part."""
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0" + sides


def test_a_picture_with_too_many_pixels_is_refused_by_its_head(ann, monkeypatch):
    monkeypatch.setattr(pictures.subprocess, "run", lambda *given, **more: pytest.fail("it was read"))
    lossy = BytesIO()
    Image.new("RGB", (4_000, 4_000)).save(lossy, "WEBP", quality=1)
    for body in (bomb(), lossy.getvalue(), with_canvas(16_000, 16_000)):
        words = "at most 10 million pixels, a JPEG 25 million"
        refusal = refused(Invalid, words, pictures.upload, by=ann, body=body)
        assert (refusal.status, refusal.code) == (400, "picture-too-large")


@pytest.mark.parametrize(("limit", "value"), [("MEGABYTES", 30), ("SECONDS", 0)])
def test_a_picture_that_takes_more_than_its_process_may_use_is_refused(ann, monkeypatch, limit, value):
    monkeypatch.setattr(pictures, limit, value)
    refused(Invalid, "million pixels", pictures.upload, by=ann, body=in_two_halves("PNG", (2_000, 2_000)))
    assert not Picture.objects.exists()


def test_a_player_brings_so_many_pictures_a_minute(ann, browse, monkeypatch):
    monkeypatch.setattr(pictures, "MOST_A_MINUTE", "2/min")
    monkeypatch.setattr(pictures, "_by_a_process_of_its_own", lambda body: body)
    cache.clear()
    client = browse(ann)
    sent = [upload(client, in_two_halves("PNG", (20, 20 + number))) for number in range(3)]
    assert ["try again in" in page for page in sent] == [False, False, True]


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_noisy_picture_is_small_too(ann, mode):
    noise = Image.merge(mode, [Image.effect_noise((256, 256), 120) for _ in mode])
    out = BytesIO()
    noise.save(out, "PNG")
    assert len(pictures.upload(by=ann, body=out.getvalue()).body) < 40_000


def test_what_a_file_says_wrongly_of_itself_is_no_fault_of_the_picture(ann):
    """Bytes of what it says of its camera and its way up, broken so that the reader breaks with them."""
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "A camera of mine"
    exif.get_ifd(0x8825)[1] = "N"
    good = in_two_halves("WEBP", exif=exif.tobytes())
    said = good.index(b"EXIF")
    for place, byte in ((said + 19, 0), (said + 79, 0), (said + 81, 3)):
        with warnings.catch_warnings(action="ignore"):
            made = pictures.upload(by=ann, body=good[:place] + bytes([byte]) + good[place + 1 :])
        assert len(colours(made.body)) == 4


def upload(client: Client, body: bytes) -> str:
    answer = client.post("/me/picture/", {"picture": SimpleUploadedFile("me.png", body, "image/png")}, follow=True)
    return answer.content.decode()


def shown_of(player: User) -> str:
    return look.avatar_of(User.objects.get(pk=player.pk).look)


def test_it_is_brought_on_the_page_of_the_account_and_kept_by_browsers_for_long(ann, browse):
    client = browse(ann)
    assert_shows(upload(client, in_two_halves("PNG")), "Your picture is shown from now on.")
    ann.refresh_from_db()
    address = look.avatar_of(ann.look)
    assert address == f"/pictures/{ann.picture.digest}.webp"
    assert_shows(get(client, "/me/"), f'src="{address}"')
    answer = browse().get(address)
    assert (colours(answer.content)[0], answer["Content-Type"]) == ("red", "image/webp")
    assert (answer["X-Content-Type-Options"], "Set-Cookie" in answer) == ("nosniff", False)
    assert set(answer["Cache-Control"].split(", ")) == {"public", "max-age=31536000", "immutable"}
    # One of the set again, and the own one again: it was kept meanwhile.
    look.change_look(wishes={"avatar": "07"}, by=ann)
    assert shown_of(ann).endswith("07.svg")
    look.change_look(wishes={"avatar": "own"}, by=ann)
    assert shown_of(ann) == address
    client.post("/me/picture/drop/")
    assert shown_of(ann) == ""
    assert browse().get(address).status_code == 404
    assert_shows(upload(client, b"nothing"), "cannot be read")
    assert_hides(get(client, "/me/"), "My own picture")


def test_a_program_brings_one_too(ann, browse):
    def bring(picture: str) -> HttpResponse:
        return browse(ann).put("/api/v1/me/picture", json.dumps({"picture": picture}), "application/json")

    address = json_of(bring(b64encode(in_two_halves("JPEG")).decode()))["address"]
    assert colours(browse().get(address).content)[2] == "blue"
    assert bring("%%").status_code == 400
    assert "45 kB" in json_of(bring("A" * 60_001), 400)["detail"]


def test_the_floor_keeps_or_removes_a_reported_picture(ann, browse):
    pictures.upload(by=ann, body=in_two_halves("PNG"))
    bob, floor = browse(User.objects.create_user("bob")), browse(staff("floor", "flo"))
    why = {"reason": "Not fit to be seen"}
    said = {"player": "Ann"} | why
    assert bob.post("/pictures/report/", said, headers={"HX-Request": "true"}).status_code == 204
    assert browse(ann).post("/pictures/report/", said).status_code == 400
    pictures.upload(by=ann, body=in_two_halves("PNG"))  # the same again, with which the report stays
    assert_shows(get(floor, "/chat/"), "bob: Not fit to be seen")
    floor.post(f"/pictures/{ann.pk}/dismiss/")
    assert_hides(get(floor, "/chat/"), "Reported pictures")
    bob.post("/pictures/report/", said)
    pictures.upload(by=ann, body=in_two_halves("JPEG", (300, 300)))
    assert not Picture.objects.exclude(reported_at=None).exists(), "another one"
    bob.post("/pictures/report/", said)
    (row,) = floor.get("/api/v1/pictures/reports").json()
    assert (row["name"], row["reported_why"]) == ("ann", "Not fit to be seen")
    assert floor.post(f"/pictures/{ann.pk}/remove/", {"reason": ""}).status_code == 400
    assert_shows(html_of(floor.post(f"/pictures/{ann.pk}/remove/", why, follow=True)), "The picture is removed.")
    assert (shown_of(ann), Picture.objects.count()) == ("", 0)
    assert Notice.objects.get(player=ann).text == "Your picture was removed: Not fit to be seen"
    acts = StaffAction.objects.filter(player=ann).order_by("pk").values_list("verb", "reason")
    assert list(acts) == [("picture.dismiss", ""), ("picture.remove", "Not fit to be seen")]
