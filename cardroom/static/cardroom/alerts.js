// What reaches a player whose eyes are elsewhere: a sound and a notice of the browser, where they wished for it on their
// own page. Wishes are kept in this browser.

export const SOUND = "calls-sound";
export const NOTICE = "calls-notice";

/** Say it, where it is wished for; `tag`: a notice of the same tag takes the place of an older one; `isHeard`: the page
 * has a sound of its own for it. */
export function alertTo(words, tag, { isHeard = false } = {}) {
  if (!isHeard && localStorage.getItem(SOUND)) beep();
  if (!localStorage.getItem(NOTICE) || !document.hidden || globalThis.Notification?.permission !== "granted") return;
  const notice = new Notification("Cardroom", { body: words, tag });
  notice.addEventListener("click", () => {
    window.focus();
    notice.close();
  });
}

/** Two short tones; browsers allow none before somebody has clicked or typed on the page. */
export function beep() {
  if (!navigator.userActivation?.hasBeenActive) return;
  const sound = new AudioContext();
  for (const [at, pitch] of [[0, 880], [0.18, 1320]]) {
    const tone = sound.createOscillator();
    const volume = sound.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.2, sound.currentTime + at);
    volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + at + 0.16);
    tone.connect(volume).connect(sound.destination);
    tone.start(sound.currentTime + at);
    tone.stop(sound.currentTime + at + 0.16);
  }
  setTimeout(() => sound.close(), 1000);
}
