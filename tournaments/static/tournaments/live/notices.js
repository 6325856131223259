// What the room has to say to this player: shown once, in one of their windows, and the room is told that it was.

import { toast } from "../../cardroom/page.js";
import { Once } from "./once.js";

const shown = new Once("notices");

/** `isSaid()`: whether the page says it in another place already. */
export async function showNotice(feed, { id, text }, isSaid = () => false) {
  const isMine = await shown.claim(String(id));
  // Told again, it was not heard that it had been seen.
  feed.seen(id);
  if (isMine && !isSaid()) toast({ message: text });
}
