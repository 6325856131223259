// A key names one request: what is sent twice under the same key is done once.

/** `crypto.randomUUID` is not there where a house serves its own network without TLS. */
export function anotherKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
