"""Interfaces that rooms below ask and rooms above implement; the settings name the implementing classes."""

from functools import cache
from typing import TypeVar

from django.utils.module_loading import import_string

Interface = TypeVar("Interface")


@cache
def implementation(path: str, interface: type[Interface]) -> Interface:
    """The one object of the class at this dotted path, which implements `interface`."""
    instance = import_string(path)()
    assert isinstance(instance, interface), f"{path} is no {interface.__name__}"
    return instance
