// The words of scripts in the reader's language. English is what the scripts say themselves; for another language the
// page brings its catalogue (core/languages.py), which is there before any module runs.

const catalogue = globalThis.django;

/** The language of the page, such as "de" or "pt-br". */
export const language = document.documentElement.lang || "en";

const filled = (text, values) =>
  values ? text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole)) : text;

/** The text in the reader's language; "{name}" in it is `values.name`. */
export const gettext = (text, values) => filled(catalogue?.gettext?.(text) ?? text, values);

/** The same where English has one word for several things: `context` says which is meant. */
export const pgettext = (context, text, values) => filled(catalogue?.pgettext?.(context, text) ?? text, values);

/** The form of the text that goes with this count; "{n}" in it is the count. */
export const ngettext = (one, many, n, values) =>
  filled(catalogue?.ngettext?.(one, many, n) ?? (n === 1 ? one : many), { n: number(n), ...values });

/** Marks a text that is put into the reader's language where it is shown: a row of a table at the top of a module. */
export const marked = (text) => text;

/** As the browser writes numbers, lists and times in it: in English "a, b and c", and the hours from 0 to 23. */
export const locale = language === "en" ? "en-GB" : language;

const numbers = new Intl.NumberFormat(locale);
const lists = new Intl.ListFormat(locale, { type: "conjunction" });
const choices = new Intl.ListFormat(locale, { type: "disjunction" });

/** These words as they stand inside a sentence, with a small letter first; German nouns have a capital one everywhere. */
export const inside = (words) => (language === "de" ? words : words.replace(/^./u, (letter) => letter.toLowerCase()));

/** A number as it is written in the reader's language: "12,500". */
export function number(value) {
  return numbers.format(value);
}

/** "a, b and c" in the reader's language. */
export const list = (parts) => lists.format(parts);

/** "a, b or c" in the reader's language. */
export const either = (parts) => choices.format(parts);
