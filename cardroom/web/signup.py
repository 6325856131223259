"""Signing up, which is done once however often its form is sent."""

from allauth.account.forms import LoginForm
from allauth.account.views import SignupView
from django.forms import Form
from django.http import HttpResponse

from cardroom.models import User
from cardroom.services.errors import Conflict


class SignUpView(SignupView):  # type: ignore[misc]
    """A form that comes again, its first answer lost, finds its name taken by itself: the same name and password log
    in, by the rules and limits of the login page."""

    def form_valid(self, form: Form) -> HttpResponse:
        try:
            answer: HttpResponse = super().form_valid(form)
        except Conflict:
            again = self._logged_in(form)
            if again is None:
                raise
            return again
        return answer

    def form_invalid(self, form: Form) -> HttpResponse:
        is_taken = form.has_error("username", "username_taken")
        return (self._logged_in(form) if is_taken else None) or super().form_invalid(form)

    def _logged_in(self, form: Form) -> HttpResponse | None:
        name, password = form.data.get("username", ""), form.data.get("password1")
        login = LoginForm({"login": name, "password": password}, request=self.request)
        if not User.objects.filter(username=name).exists() or not login.is_valid():
            return None
        answer: HttpResponse = login.login(self.request, redirect_url=self.get_success_url())
        return answer
