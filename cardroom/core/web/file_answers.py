"""Files as answers: those that are small at once, those that are large piece by piece."""

from collections.abc import AsyncIterator
from itertools import chain

from asgiref.sync import sync_to_async
from django.http import HttpResponse, StreamingHttpResponse

from cardroom.core.documents import PDF, File
from cardroom.core.web import heavy


class Streamed(StreamingHttpResponse):
    """Parts that are made one at a time, in a thread beside the loop where the server asks for them from one."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts = iter(self.streaming_content)
        while part := await sync_to_async(heavy.next_part)(parts):
            yield part


def file_answer(file: File, *, is_saved: bool = False) -> HttpResponse | Streamed:
    """A PDF is shown, to be printed, unless it `is_saved` too; the rest is saved."""
    place = "inline" if file.content_type == PDF and not is_saved else "attachment"
    headers = {"Content-Disposition": f'{place}; filename="{file.name}"'}
    content = file.content
    if callable(content):
        content = heavy.work(content)
    if isinstance(content, bytes):
        return HttpResponse(content, content_type=file.content_type, headers=headers)
    first = heavy.first_part(content)
    return Streamed(chain([first], content), content_type=file.content_type, headers=headers)
