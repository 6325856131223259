"""Push: switched on and off in a browser, shown by the worker where no page is in sight, and opening the right page.

No push service is asked here: a browser's own is on the internet. What is sent, and to whom: `cardroom/test_push.py`.
"""

from playwright.sync_api import expect

from tests.support.waiting import soon

#: In place of the browser's own push service; the key is the curve's own first point.
SERVICE = """
let made = null;
PushManager.prototype.getSubscription = async () => made;
PushManager.prototype.subscribe = async () => {
  const p256dh = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU";
  const keys = { p256dh, auth: "AAAAAAAAAAAAAAAAAAAAAA" };
  return { toJSON: () => ({ endpoint: "https://fcm.googleapis.com/fcm/send/one", expirationTime: null, keys }) };
};
const unsubscribe = async () => (document.cookie = "pushes=; max-age=0");
if (document.cookie.includes("pushes=yes")) made = { unsubscribe };
"""
#: What is shown, by its tag (this Chromium has no place for notices), and the page that was opened, after a push or a
#: click on what it showed.
HAPPENS = """
async (kind) => {
  self.shown ??= {};
  let opened = null;
  self.registration.showNotification = async (title, { tag, body, data }) => (self.shown[tag] = { title, body, data });
  self.clients.openWindow = async (url) => (opened = url);
  const said = JSON.stringify({ title: "Cardroom", body: "Your turn.", tag: "turn", url: "/lobby/" });
  const event = kind === "push" ? new PushEvent(kind, { data: said }) : new ExtendableEvent(kind);
  event.notification = { ...self.shown.turn, close: () => delete self.shown.turn };
  const waits = [];
  event.waitUntil = (until) => waits.push(until);
  self.dispatchEvent(event);
  await Promise.all(waits);
  return [opened, self.shown];
}
"""


#: The push service gives up the address that it had given; whether the room then has another, and what is told if not.
CHANGES = """
async (isReachable) => {
  const told = [];
  self.registration.showNotification = async (title, { body, data }) => told.push([title, body, data.url]);
  const p256dh = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU";
  const keys = { p256dh, auth: "AAAAAAAAAAAAAAAAAAAAAA" };
  PushManager.prototype.subscribe = async () => {
    if (!isReachable) throw new Error("no push service");
    return { toJSON: () => ({ endpoint: "https://fcm.googleapis.com/fcm/send/two", keys }) };
  };
  const event = new ExtendableEvent("pushsubscriptionchange");
  const waits = [];
  event.waitUntil = (until) => waits.push(until);
  self.dispatchEvent(event);
  await Promise.all(waits);
  const browsers = await (await fetch("/api/v1/me/push", { headers: { Accept: "application/json" } })).json();
  return [browsers.length, told];
}
"""


def test_an_address_that_the_push_service_gives_up_is_renewed_or_the_player_is_told(come_in):
    ada = come_in("Ada", service_workers="allow", permissions=["notifications"])
    ada.page.goto("/me/")
    ada.page.evaluate("navigator.serviceWorker.ready")
    soon(lambda: ada.context.service_workers)
    worker = ada.context.service_workers[0]
    ended = "Push has ended in this browser. Switch it on again on your account page."
    assert worker.evaluate(CHANGES, False) == [0, [["Cardroom", ended, "/me/"]]]
    assert worker.evaluate(CHANGES, True) == [1, []]
    ada.page.reload()
    expect(ada.page.get_by_text("Push has ended in this browser: switch it on again.")).to_be_visible()


def test_push_is_switched_on_and_off_in_a_browser(come_in):
    page = come_in("Ada", service_workers="allow", permissions=["notifications"]).page
    page.add_init_script(SERVICE)
    page.goto("/me/")
    switch = page.get_by_role("checkbox", name="Send me push notifications")
    expect(switch).to_be_enabled()
    expect(switch).not_to_be_checked()
    page.evaluate("document.cookie = 'pushes=yes'")
    switch.check()
    expect(page.get_by_text("Push is on in this browser.")).to_be_visible()
    expect(page.get_by_text("Chrome on Linux", exact=True)).to_be_visible()
    page.evaluate("document.cookie = 'pushes=yes'")
    page.reload()
    expect(switch).to_be_checked()
    switch.uncheck()
    expect(page.get_by_text("Push is off there.")).to_be_visible()
    expect(switch).not_to_be_checked()


def test_the_worker_tells_where_no_page_is_in_sight_and_opens_the_page_it_is_about(come_in):
    ada = come_in("Ada", service_workers="allow", permissions=["notifications"])
    page = ada.page
    page.goto("/rules/")
    page.evaluate("navigator.serviceWorker.ready")
    soon(lambda: ada.context.service_workers)
    worker = ada.context.service_workers[0]
    assert worker.evaluate(HAPPENS, "push") == [None, {}]
    page.goto("about:blank")
    shown = {"title": "Cardroom", "body": "Your turn.", "data": {"url": "/lobby/"}}
    assert worker.evaluate(HAPPENS, "push") == [None, {"turn": shown}]
    assert worker.evaluate(HAPPENS, "notificationclick") == ["/lobby/", {}]
