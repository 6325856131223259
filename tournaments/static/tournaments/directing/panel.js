// A panel that was opened as a page of its own.

import { connectHands } from "./hand.js";

connectHands(document.querySelector("[data-panel]"));
