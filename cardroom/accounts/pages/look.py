"""How people like a table to look, and their keys there. What can be chosen is data (`look.LOOK_SETTINGS`,
`hot_keys.HOT_KEYS`), so that no signature names it: bodies are declared here."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from cardroom.accounts import hot_keys, look
from cardroom.accounts.pages.account import LikeForm
from cardroom.core.models import User
from cardroom.core.web.api.fields import Change, Text
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.resources import Resource, addresses, does, reads


def _wishes(**options: Any) -> dict[str, Any]:
    """A field for each thing to choose."""
    return {
        name: serializers.ChoiceField(
            [*wish.choices.items()], help_text=f"{wish.title}. {wish.hint}".strip(), **options
        )
        for name, wish in look.LOOK_SETTINGS.items()
    }


class LookSettings(serializers.Serializer[Any]):
    """How you like a table to look, and which help you want there."""

    def get_fields(self) -> dict[str, Any]:
        return _wishes()


class LookOrder(Change):
    """What to change of it: at least one of these."""

    def get_fields(self) -> dict[str, Any]:
        return _wishes(required=False)

    @classmethod
    def read(cls, request: Any) -> dict[str, Any]:
        return {"wishes": super().read(request)}

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        return {"wishes": super().typed(form)}


class Keys(serializers.Serializer[Any]):
    """Your keys at the table: what each does, and the key."""

    def get_fields(self) -> dict[str, Any]:
        return {name: serializers.CharField(help_text=f"{key.title}.") for name, key in hot_keys.HOT_KEYS.items()}


class KeysOrder(Change):
    """Which keys to change: at least one of these. No two may be the same, and figures stay with the buttons."""

    def get_fields(self) -> dict[str, Any]:
        return {
            name: Text(required=False, max_length=1, help_text=f"{key.title}. Usually {key.usual}.")
            for name, key in hot_keys.HOT_KEYS.items()
        }

    @classmethod
    def read(cls, request: Any) -> dict[str, Any]:
        return {"keys": super().read(request)}

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        return {"keys": super().typed(form)}


class SaveLookForm(LikeForm):
    does, body, path, name = look.change_look, LookOrder, "me/look/", "look"


class KeysForm(LikeForm):
    does, body, path, name = hot_keys.change_keys, KeysOrder, "me/keys/", "hot_keys"


class UsualKeysForm(LikeForm):
    does, path, name = hot_keys.usual_keys, "me/keys/usual/", "usual_keys"


def my_look(*, by: User) -> dict[str, str]:
    """The chosen settings, and the defaults for the rest."""
    return look.look_of(by)


def my_keys(*, by: User) -> dict[str, str]:
    """The key for each thing."""
    return hot_keys.keys_of(by)


class LookResource(Resource):
    path, tags = "me/look", ("me",)
    get = reads(my_look, name="my_look", summary="Your look of the table", answers=LookSettings)
    patch = does(
        look.change_look,
        name="change_look",
        summary="Change your look of the table",
        body=LookOrder,
        answers=LookSettings,
    )


class KeysResource(Resource):
    path, tags = "me/keys", ("me",)
    get = reads(my_keys, name="my_keys", summary="Your keys at the table", answers=Keys)
    patch = does(
        hot_keys.change_keys,
        name="change_keys",
        summary="Change your keys at the table",
        body=KeysOrder,
        answers=Keys,
        refuses=(409,),
    )
    delete = does(hot_keys.usual_keys, name="usual_keys", summary="Use the usual keys again", answers=Keys)


api = addresses([LookResource, KeysResource])
urlpatterns = page_urls([], forms=[SaveLookForm, KeysForm, UsualKeysForm])
