"""Resources of accounts, connections, the blacklist, the chat and the trail."""

from cardroom.web.api import faults, trail
from cardroom.web.api.routes import resource

urlpatterns = [
    *resource("trail", trail.TrailView, name="api-trail"),
    *resource("trail/<slug:form>", trail.TrailFileView, name="api-trail-file"),
    *resource("faults", faults.FaultsView, name="api-faults"),
]
