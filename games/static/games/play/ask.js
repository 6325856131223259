// Questions to the room's REST interface from one of its own pages.

/** The answer, or null. */
export async function got(url) {
  try {
    const answer = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Have the room do something; whether it did. */
export async function posted(url) {
  const headers = { Accept: "application/json", ...JSON.parse(document.body.getAttribute("hx-headers")) };
  try {
    return (await fetch(url, { method: "POST", headers, credentials: "same-origin", keepalive: true })).ok;
  } catch {
    return false;
  }
}
