// The page without a connection: it stands at the address that was wanted, so loading it again is trying again.

const said = document.querySelector("[data-said]");

async function again() {
  said.textContent = said.dataset.trying;
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    location.reload();
  } catch {
    said.textContent = said.dataset.away;
  }
}

document.querySelector("[data-again]").addEventListener("click", again);
addEventListener("online", again);
// The room itself may have been away while the network was not.
setInterval(again, 15_000);
