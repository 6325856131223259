"""Pages of tables and hands."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
