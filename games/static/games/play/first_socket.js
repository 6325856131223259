// Opens the table's socket while the page's other scripts are still on their way. `Connection` takes it over, or opens
// its own where it was quicker, or where it comes so late that what was heard is no longer worth telling.

if (globalThis.firstSocket === undefined) {
  const url = new URL(document.currentScript.dataset.socket, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url);
  const heard = [];
  socket.onmessage = ({ data }) => heard.push({ data, at: Date.now() });
  globalThis.firstSocket = { socket, heard };
  setTimeout(() => globalThis.firstSocket && socket.close(), 3000);
}
