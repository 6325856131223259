// Pages are in the browser's zone. One that was drawn in another one, the room's, is drawn once more, before it is seen:
// the zone is kept in a cookie from then on. Not a module: it has to come before the page.

(() => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const kept = `zone=${here}`;
  const isKept = () => document.cookie.split("; ").includes(kept);
  // Kept and not used: the server knows no such zone.
  if (!here || document.documentElement.dataset.zone === here || isKept()) return;
  document.cookie = `${kept}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  if (isKept()) location.reload();
})();
