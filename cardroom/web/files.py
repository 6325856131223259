"""Files as answers."""

from django.http import HttpResponse

from cardroom.services.prints.files import PDF, File


def answer(file: File, *, is_saved: bool = False) -> HttpResponse:
    """A PDF is shown, to be printed, unless it `is_saved` too; the rest is saved."""
    place = "inline" if file.content_type == PDF and not is_saved else "attachment"
    headers = {"Content-Disposition": f'{place}; filename="{file.name}"'}
    return HttpResponse(file.body, content_type=file.content_type, headers=headers)
