// Three quiet tones, made here; off until somebody asks for them. The choice stays in this browser.

const KEY = "cardroom.sound";
const TONES = { turn: [660, 0.16], chips: [420, 0.05], won: [880, 0.22] };
let context = null;

const stored = () => {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
};
let isOn = stored();

export const isSoundOn = () => isOn;

export function setSound(on) {
  isOn = on;
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // A browser that keeps nothing still plays them for this visit.
  }
}

export function play(name) {
  if (!isOn || document.hidden) return;
  context ??= new AudioContext();
  const [pitch, length] = TONES[name];
  const tone = context.createOscillator();
  const volume = context.createGain();
  const now = context.currentTime;
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, now);
  volume.gain.exponentialRampToValueAtTime(0.12, now + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, now + length);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + length);
}
