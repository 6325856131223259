"""The room as an app: it can be installed, and says so when there is no connection, whatever page was wanted."""

from playwright.sync_api import expect

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
  }
  return found;
}"""
ICON = """async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  return [image.naturalWidth, image.naturalHeight];
}"""


def test_the_room_can_be_installed_and_says_when_it_is_offline(come_in):
    ada = come_in("Ada", service_workers="allow")
    page = ada.page
    with ada.context.expect_event("serviceworker"):  # else it would not hear that there is no connection
        page.goto("/lobby/")
    manifest = page.request.get(page.locator("link[rel=manifest]").get_attribute("href")).json()
    assert (manifest["display"], manifest["scope"], manifest["start_url"]) == ("standalone", "/", "/")
    uses = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert uses == {(size, use) for size in ("192x192", "512x512") for use in ("any", "maskable")}
    for icon in manifest["icons"]:
        assert page.evaluate(ICON, icon["src"]) == [int(side) for side in icon["sizes"].split("x")]

    page.evaluate("navigator.serviceWorker.ready")
    page.goto("/me/")
    ada.context.set_offline(True)
    page.goto("/me/hands/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Still no connection.")).to_be_visible()
    kept = page.evaluate(KEPT)
    assert "/offline/" in kept
    assert all(address == "/offline/" or address.startswith("/static/") for address in kept)
    ada.context.set_offline(False)
    expect(page.get_by_role("heading", name="Your hands")).to_be_visible()
