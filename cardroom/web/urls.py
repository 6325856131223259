"""Pages of the house."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
