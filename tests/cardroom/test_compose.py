"""What `compose.yaml` promises of the containers it starts."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[2]
TEXT = (PROJECT / "compose.yaml").read_text("utf-8")
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(TEXT)["services"]
OF_THE_ROOM = ("migrate", "web", "worker", "beat")


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_writes_nothing_but_its_data_and_has_no_rights_to_spare(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.get("privileged")
    assert ("cap_add" in service) == (name == "database")


@pytest.mark.parametrize("name", OF_THE_ROOM)
def test_a_process_of_the_room_is_given_every_setting_of_the_file(name: str) -> None:
    service = SERVICES[name]
    assert service["env_file"] == [".env"]
    ours = {"DATABASE_URL", "DATABASE_OWNER_URL", "POSTGRES_PASSWORD", "ROOM_PASSWORD"}
    ours |= {"REDIS_URL", "CARDROOM_EMBEDDED", "CARDROOM_STATIC_BUILT"}
    for setting, value in service["environment"].items():
        assert setting in ours or f"${{{setting}:?" in value, f"{setting} takes the place of what `.env` says"
    assert any(place.startswith("/srv/cardroom/.run:") for place in service["tmpfs"])


def test_migrate_alone_knows_the_owner_of_the_database() -> None:
    owners = {name for name in OF_THE_ROOM if SERVICES[name]["environment"]["DATABASE_OWNER_URL"]}
    assert owners == {"migrate"}
    assert {SERVICES[name]["environment"]["POSTGRES_PASSWORD"] for name in OF_THE_ROOM} == {""}


def test_secrets_are_asked_for_and_none_has_a_default() -> None:
    asked = dict(re.findall(r"\$\{(\w+)(:\?)?", TEXT))
    assert {"SECRET_KEY", "CARDROOM_CARDS_KEY", "POSTGRES_PASSWORD", "ROOM_PASSWORD"} <= asked.keys()
    assert set(asked.values()) == {":?"}
    assert not re.search(r"://\w+:\w+@", TEXT), "a password"
    assert SERVICES["database"]["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")


def test_the_image_has_the_libraries_of_the_runtime_alone() -> None:
    image = SERVICES["web"]["build"]["dockerfile_inline"]
    assert re.findall(r"\S+\.lock", image) == ["requirements-runtime.lock"] * 2
    assert "--require-hashes" in image
