// Opens the table's socket while the page's other scripts are still on their way. `Connection` takes it over.

const url = new URL(document.currentScript.dataset.socket, location.href);
url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
const socket = new WebSocket(url);
const heard = [];
socket.onmessage = (message) => heard.push(message);
globalThis.firstSocket = { socket, heard };
