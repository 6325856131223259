"""Pictures that players bring: drawn anew, shown beside their name, reported and removed."""

import json
import warnings
from base64 import b64encode
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image, PngImagePlugin

from tests.support.models import Notice, Picture, StaffAction, User
from tests.support.offers import staff
from tests.support.parts.cardroom import Invalid, look, pictures
from tests.support.refusals import refused

RED, BLUE = (200, 20, 20), (20, 20, 200)
NEAR = 25


@pytest.fixture
def ann(db) -> User:
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
    made = pictures.bring(player=ann, body=in_two_halves(kind, **said))
    shown = colours(made.body)
    assert (shown[1], shown[3], len(made.body) < 30_000) == ("blue", "red", True)
    assert b"camera" not in made.body
    with Image.open(BytesIO(made.body)) as found:
        assert not found.getexif()
        assert found.info.keys() <= {"loop", "background", "timestamp", "duration"}


def test_what_is_no_picture_or_too_large_is_refused(ann):
    def bomb() -> bytes:
        """Ten thousand by ten thousand pixels, in some kilobytes."""
        out = BytesIO()
        Image.new("1", (10_000, 10_000)).save(out, "PNG")
        return out.getvalue()

    gif = BytesIO()
    Image.new("RGB", (9, 9)).save(gif, "GIF")
    cut = in_two_halves("PNG", (300, 300))[:120]
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    for body, words in [
        (b"", "Choose a picture"), (b"x" * (pictures.MOST_BYTES + 1), "at most 2 MB"), (bomb(), "million pixels"),
        (gif.getvalue(), "cannot be read"), (svg, "cannot be read"), (cut, "cannot be read"), (b"no", "cannot be read"),
    ]:  # fmt: skip
        refused(Invalid, words, pictures.bring, player=ann, body=body)
    assert not Picture.objects.exists()


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_noisy_picture_is_small_too(ann, mode):
    noise = Image.merge(mode, [Image.effect_noise((256, 256), 120) for _ in mode])
    out = BytesIO()
    noise.save(out, "PNG")
    assert len(pictures.bring(player=ann, body=out.getvalue()).body) < 40_000


def test_what_a_file_says_wrongly_of_itself_is_no_fault_of_the_picture(ann):
    """Bytes of what it says of its camera and its way up, broken so that the reader breaks with them."""
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "A camera of mine"
    exif.get_ifd(0x8825)[1] = "N"
    good = in_two_halves("WEBP", exif=exif.tobytes())
    said = good.index(b"EXIF")
    for place, byte in ((said + 19, 0), (said + 79, 0), (said + 81, 3)):
        with warnings.catch_warnings(action="ignore"):
            made = pictures.bring(player=ann, body=good[:place] + bytes([byte]) + good[place + 1 :])
        assert len(colours(made.body)) == 4


def test_a_report_stays_with_a_picture_that_is_brought_again(ann):
    pictures.bring(player=ann, body=in_two_halves("PNG"))
    bob = User.objects.create_user("bob")
    pictures.report(player="ann", by=bob, reason="Not fit to be seen")
    pictures.bring(player=ann, body=in_two_halves("PNG"))
    assert [each.reported_by for each in pictures.reported(staff("floor"))] == [bob]
    pictures.bring(player=ann, body=in_two_halves("JPEG", (300, 300)))
    assert not Picture.objects.exclude(reported_at=None).exists()


def uploaded(client: Client, body: bytes) -> str:
    answer = client.post("/me/picture/", {"picture": SimpleUploadedFile("me.png", body, "image/png")}, follow=True)
    return answer.content.decode()


def test_it_is_brought_on_the_page_of_the_account_and_kept_by_browsers_for_long(ann, client):
    client.force_login(ann)
    assert "Your picture is shown from now on." in uploaded(client, in_two_halves("PNG"))
    ann.refresh_from_db()
    address = look.avatar_of(ann.look)
    assert address == f"/pictures/{ann.picture.digest}.webp"
    page = client.get("/me/").content.decode()
    assert f'src="{address}"' in page
    answer = Client().get(address)
    assert (colours(answer.content)[0], answer["Content-Type"]) == ("red", "image/webp")
    assert (answer["X-Content-Type-Options"], "Set-Cookie" in answer) == ("nosniff", False)
    assert set(answer["Cache-Control"].split(", ")) == {"public", "max-age=31536000", "immutable"}
    # One of the set again, and the own one again: it was kept meanwhile.
    look.change_look(user=ann, avatar="07")
    assert look.avatar_of(User.objects.get(pk=ann.pk).look).endswith("07.svg")
    look.change_look(user=ann, avatar="own")
    assert look.avatar_of(User.objects.get(pk=ann.pk).look) == address
    client.post("/me/picture/drop/")
    assert look.avatar_of(User.objects.get(pk=ann.pk).look) == ""
    assert Client().get(address).status_code == 404
    assert "cannot be read" in uploaded(client, b"nothing")
    assert "My own picture" not in client.get("/me/").content.decode()


def test_a_program_brings_one_too(ann, client):
    client.force_login(ann)
    body = {"picture": b64encode(in_two_halves("JPEG")).decode()}
    answer = client.put("/api/v1/me/picture", json.dumps(body), content_type="application/json")
    assert (answer.status_code, colours(client.get(answer.json()["address"]).content)[2]) == (200, "blue")
    assert client.put("/api/v1/me/picture", '{"picture": "%%"}', content_type="application/json").status_code == 400
    large = json.dumps({"picture": "A" * 60_001})
    answer = client.put("/api/v1/me/picture", large, content_type="application/json")
    assert (answer.status_code, "45 kB" in answer.json()["detail"]) == (400, True)


def test_a_reported_picture_is_looked_at_by_the_floor_which_lets_it_stand_or_removes_it_with_a_reason(ann, client):
    pictures.bring(player=ann, body=in_two_halves("PNG"))
    bob, flo = User.objects.create_user("bob"), staff("floor", "flo")
    client.force_login(bob)
    said = {"player": "Ann", "reason": "Not fit to be seen"}
    assert client.post("/pictures/report/", said, headers={"HX-Request": "true"}).status_code == 204
    client.force_login(ann)
    assert client.post("/pictures/report/", said).status_code == 400
    client.force_login(flo)
    assert "bob: Not fit to be seen" in client.get("/chat/").content.decode()
    client.post(f"/pictures/{ann.pk}/dismiss/")
    assert "Reported pictures" not in client.get("/chat/").content.decode()
    client.force_login(bob)
    client.post("/pictures/report/", said)
    client.force_login(flo)
    (row,) = client.get("/api/v1/pictures/reports").json()
    assert (row["name"], row["reported_why"]) == ("ann", "Not fit to be seen")
    assert client.post(f"/pictures/{ann.pk}/remove/", {"reason": ""}).status_code == 400
    page = client.post(f"/pictures/{ann.pk}/remove/", {"reason": "Not fit to be seen"}, follow=True).content.decode()
    assert "The picture is removed." in page
    assert (look.avatar_of(User.objects.get(pk=ann.pk).look), Picture.objects.count()) == ("", 0)
    assert Notice.objects.get(player=ann).text == "Your picture was removed: Not fit to be seen"
    acts = StaffAction.objects.filter(player=ann).order_by("pk").values_list("verb", "reason")
    assert list(acts) == [("picture.dismiss", ""), ("picture.remove", "Not fit to be seen")]
