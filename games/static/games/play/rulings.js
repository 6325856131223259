// Rulings by name: what each point and verdict is called at the table, and which are worth stopping for.

const KEYS = {
  exposed_downcard: "Downcard turned up", both_downcards_exposed: "Both downcards turned up",
  dead_hand_lowcard: "The dead hand would have been low", wrong_lowcard: "Wrong low card",
  card_off_table: "Card off the table", burn_error: "Burned wrong", premature_deal: "Dealt too early",
  deck_exhaustion: "The deck runs short", all_in_final_faceup: "All-in player’s last card face up",
  final_card_faceup: "Last card face up", wrong_card_count: "Wrong number of cards", upcard_order: "Upcards reordered",
  picked_up_upcards: "Upcards picked up", ante_all_in_lowcard: "Low card all-in for the ante",
  short_bring_in: "Short bring-in", absent_player: "Absent player", fold_keeps_receiving: "Folded without a wager",
  misdeal: "Misdeal", void_hand: "Hand void", penalty: "Penalty", acting_in_turn: "Action out of turn",
  beaten_call_stands: "Beaten call", completion: "Completion", raise_cap: "Raise cap",
  open_pair_fourth: "Open pair", table_stakes: "Table stakes", short_all_in: "Short all-in",
};
const VERDICTS = {
  "third-card-down": "third card down", misdeal: "misdeal", "dead-hand": "hand dead, ante back", "left-opens": "the left opens",
  corrected: "put right", stands: "it stands", exposed: "counts as exposed", kept: "kept", eliminated: "out of play",
  "no-burn": "no second burn", remixed: "mixed again", "common-card": "one common card", "all-in-option": "may declare all-in",
  "second-up": "second card up too", dead: "hand dead", live: "hand live", folded: "folded", warning: "warning", penalty: "penalty",
  killed: "hand killed", "back-in-time": "back in time", receiving: "still dealt to", void: "hand void", capped: "no more raises",
  "no-raise": "no raise", "either-limit": "either limit",
};
/** Rulings of a hand that goes as it should: written down, not called out. */
const ROUTINE = new Set(["completion", "raise_cap", "open_pair_fourth", "fold_keeps_receiving", "beaten_call_stands", "short_bring_in"]);

const plain = (slug) => slug.replace(/[-_]/g, " ");

export const isRoutine = (ruling) => ROUTINE.has(ruling.key);
export const nameOfKey = (key) => KEYS[key] ?? plain(key).replace(/^./, (letter) => letter.toUpperCase());
export const nameOfVerdict = (verdict) => VERDICTS[verdict] ?? plain(verdict);

/** "The Gardens Casino, 12": where the rule is from. A ruling from before that was written down names its book alone. */
export const citationOf = (ruling, book) => ruling.citation || book.title;

/** The citation as a link to the rule itself, in a page of its own. `book`: {title, url}. */
export function drawCitation(ruling, book) {
  const cite = document.createElement("cite");
  cite.className = "ruling__rule";
  const link = document.createElement("a");
  link.href = `${book.url}#${ruling.key}`;
  link.target = "_blank";
  link.rel = "noopener";
  link.textContent = citationOf(ruling, book);
  cite.append(link);
  return cite;
}

/** "Downcard turned up: third card down". */
export const titleOf = ({ key, verdict }) =>
  nameOfKey(key).toLowerCase() === nameOfVerdict(verdict) ? nameOfKey(key) : `${nameOfKey(key)}: ${nameOfVerdict(verdict)}`;
