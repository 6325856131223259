// The page of one's account: what is chosen there of the table's look is shown by its sample at once.

import { connectKeys } from "./hot_keys.js";
import { gettext } from "./language.js";
import { connectLook } from "./look.js";

// The browser's own zone is offered before all the others.
const zones = document.querySelector("[data-time-zone]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
const found = [...(zones?.options ?? [])].find(({ value }) => value === here);
if (found) {
  const first = document.createElement("optgroup");
  first.label = gettext("This browser");
  first.append(new Option(here, here, false, found.selected));
  zones.options[0].after(first);
}
// A group that the address names is open: /me/#keys.
if (location.hash) document.getElementById(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");

connectKeys();
connectLook();
