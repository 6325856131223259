// A request to the room's REST interface from one of its own pages.

const cookie = () => document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
const token = () => {
  try {
    return JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] || cookie();
  } catch {
    return cookie();
  }
};

/** {data} or {error: the room's problem, at least {detail}}. */
export async function posted(url, body) {
  try {
    const answer = await fetch(url, {
      method: "POST", credentials: "same-origin", body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": token() },
    });
    const data = await answer.json().catch(() => ({}));
    return answer.ok ? { data } : { error: { detail: "That did not work. Load the page again.", ...data } };
  } catch {
    return { error: { detail: "The room cannot be reached. Nothing was changed; try again." } };
  }
}

/** The answer, or null. */
export async function got(url) {
  try {
    const answer = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
