// The page of one's account: what is chosen there of the table's look is shown by its sample at once.

import { connectKeys } from "./hot_keys.js";
import { connectLook } from "./look.js";

// The first choice is the browser's own zone: which one that is.
const zones = document.querySelector("[data-time-zone]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zones && here) zones.options[0].textContent += `: ${here}`;
// A group that the address names is open: /me/#keys.
if (location.hash) document.getElementById(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");

connectKeys();
connectLook();
