"""See the package."""

from typing import Any

from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool

from cardroom.core.database import lanes


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes its connection from the pool of pages where it serves a request over HTTP, else from the pool of play.

    `PAGES_POOL` in the database's settings has the options of the pool of pages; without it there is one pool.
    """

    @property
    def pool(self) -> Any:
        options = self.settings_dict.get("PAGES_POOL")
        if not options or not lanes.is_for_pages():
            return super().pool
        key = self._pages_key
        if key not in self._connection_pools:
            parameters = self.get_connection_params() | {"autocommit": True}
            check = ConnectionPool.check_connection if self.settings_dict["CONN_HEALTH_CHECKS"] else None
            new_pool = ConnectionPool(
                kwargs=parameters, open=False, configure=self._configure_connection, check=check, **options
            )
            self._connection_pools.setdefault(key, new_pool)  # two threads may make one at a time: the first counts
        return self._connection_pools[key]

    def close_pool(self) -> None:
        pages = self._connection_pools.pop(self._pages_key, None)
        if pages is not None:
            pages.close()
        house = self._connection_pools.pop(self.alias, None)
        if house is not None:
            house.close()

    @property
    def _pages_key(self) -> str:
        return f"{self.alias} for pages"
