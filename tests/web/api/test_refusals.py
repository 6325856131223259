"""What the API refuses of players and of anybody else: a problem names what is wrong, and nothing changes."""

import pytest

from tests.web.api.conftest import problem

SIT, ACT = "POST tables/{table}/seats", "POST hands/{hand}/act"
DRILL, BUY = {"rulebook": "home"}, {"buy_in": 400}
NO_NUMBERS = (-400, 0, "400", 400.5, True, None, 10**30, 2**63, 1e300, [400])

#: Who asks ("" is nobody, `turn` who is to act, `other` who is not); what for; bodies, or what stands for {} in the
#: address; the status; and the code of the problem, or the fields at fault. A body of an action goes on top of one
#: that would be taken.
REFUSED = [
    # -- who has to be somebody
    ("", "GET {}", ["me", "me/transfers", "me/seats", "tokens", "practice/results"], 401, "not-authenticated"),
    # -- sitting down, and what one does in a seat
    ("cec", SIT, [{"seat": 1, "buy_in": 400}], 409, "seat-taken"),
    ("cec", SIT, [{"buy_in": 299}, {"buy_in": 1501}], 422, "buy-in-range"),
    ("poor", SIT, [{"buy_in": 1400}], 422, "not-enough-chips"),
    ("ann", SIT, [BUY], 409, "already-seated"),
    ("cec", SIT, [{}, *({"buy_in": each} for each in NO_NUMBERS)], 400, ["buy_in"]),
    ("cec", SIT, [BUY | {"seat": each} for each in (0, 9, "3")], 400, ["seat"]),
    ("cec", SIT, [BUY | {"chair": 3, "amount": 5}], 400, ["amount", "chair"]),
    ("cec", "POST tables/{table}/seats/{}", ["leave", "sit-out", "come-back"], 404, "not-seated"),
    # -- acting
    ("other", ACT, [{}], 409, "not-your-turn"),
    ("cec", ACT, [{}], 403, "not-in-hand"),
    ("turn", ACT, [{"action": each} for each in ("all-in", ["fold"], None, "f\0ld")], 400, ["action"]),
    ("turn", ACT, [{"amount": each} for each in (-15, 0, 10**13, "15", 15.5)], 400, ["amount"]),
    ("turn", ACT, [{"expected_seq": each} for each in (-1, 2**31, None)], 400, ["expected_seq"]),
    ("turn", ACT, [{"command_id": each} for each in ("", "a\0b", "x" * 61, 7)], 400, ["command_id"]),
    ("turn", ACT, [{"seq": 3}], 400, ["seq"]),
    ("ann", "POST list-entries/1/transfer", [{"offer": each} for each in (10**30, 2**63, 0, "x")], 400, ["offer"]),
    ("ann", "GET hands/{hand}/{}", ["odds", "links"], 409, "hand-in-play"),
    # -- what is not there
    ("", "GET {}", ["hands/999", "hands/999/facts", f"hands/{10**18 - 1}"], 404, "no-such-hand"),
    ("", "GET tables/{}", ["999", "999/seats", "999/hands", 10**17], 404, "no-such-table"),
    ("", "GET tables/{}", ["0", "007", "-1", "x", "1.5", 10**18, 2**64, "%00", "٣"], 404, "not-found"),
    ("", "GET rulebooks/{}", ["nobodys-rules"], 404, "no-such-rulebook"),
    # -- questions that make no sense
    ("", "GET hands/{hand}/facts?after={}", [-1, "x", 2**31, 10**30, "1.5", ""], 400, ["after"]),
    ("", "GET tables?buy_in={}", ["x", -1, 10**40], 400, ["buy_in"]),
    ("", "GET tables?has_people={}", ["perhaps"], 400, ["has_people"]),
    ("", "GET tables?game={}", ["%00", "", "%ff"], 400, ["game"]),
    ("ann", "GET me/transfers?cursor={}", ["x", 0, -1, "", 10**30], 400, None),
    ("ann", "GET me/transfers?limit={}", [0, 201, "%00"], 400, None),
    ("", "GET rulings?{}", ["key=A B", "from=yesterday", "to=2030-13-45", "table=x", "limit=0", "cursor=x"], 400, None),
    ("", "GET desk/{}", ["nothing", "too-early?players=99", "too-early?rulebook=none", "too-early?odd=1"], 400, None),
    ("ann", "POST practice", [{}, {"rulebook": "none"}, DRILL | {"rate": 101}], 400, None),
    ("ann", "POST practice", [DRILL | each for each in ({"seed": "x"}, {"game": "hold-em"}, {"odd": 1})], 400, None),
    ("ann", "PATCH me", [{"wants_mail": each} for each in ("yes", 1, None)], 400, ["wants_mail"]),
    ("ann", "PATCH me", [{}], 400, ["language", "time_zone", "wants_mail"]),
    ("ann", "PATCH me", [{"language": each} for each in ("xx", "de-de-de-de", 1, None)], 400, None),
]  # fmt: skip


@pytest.mark.parametrize(("who", "order", "each", "status", "says"), REFUSED)
def test_what_is_refused_names_what_is_wrong_and_changes_nothing(api, evening, who, order, each, status, says):
    people = {"ann": evening.ann, "turn": evening.to_act, "": None}
    people["other"] = evening.bob if evening.to_act == evening.ann else evening.ann
    user = people[who] if who in people else evening.player(who, chips=1000 if who == "poor" else 10_000)
    client, before, chips = api(user), evening.table, user and evening.wallet(user)
    method, path = order.split(" ", 1)
    path = path.replace("{table}", str(evening.pk)).replace("{hand}", str(before.hand_id))
    for of in each:
        sent = [of] if isinstance(of, dict) else []
        if order == ACT:
            sent = [{"action": "bring-in", "expected_seq": before.seq, "command_id": "c"} | of]

        answer = getattr(client, method.lower())(f"/api/v1/{path.replace('{}', str(of))}", *sent)
        told = problem(answer, status)
        if isinstance(says, list):
            assert sorted(told["errors"]) == says, of
        elif says:
            assert told["code"] == says, of
        assert answer.get("WWW-Authenticate") == ("Token" if status == 401 else None)
        assert evening.table.version == before.version, of
        assert (user and evening.wallet(user)) == chips, of
