// A bell for the end of a level and two beeps for its last minute, made here. Off until somebody asks for it.

const KEY = "cardroom.clock.sound";
/** Pitch in Hz, begin and length in seconds. */
const RINGS = {
  end: [0, 0.55, 1.1].flatMap((at) => [[880, at, 1.2], [1318, at, 0.9], [2217, at, 0.4]]),
  minute: [[660, 0, 0.18], [660, 0.26, 0.18]],
};
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

/** Whether it would be heard: browsers play nothing before somebody touched the page. */
export const canSound = () => isOn && context?.state === "running";

/** On or off; on must come from a touch or a key. */
export async function setSound(on) {
  isOn = on;
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // A browser that keeps nothing still rings for this visit.
  }
  if (on) await wake();
}

/** Let the sound run, if it is wanted and the browser lets it. */
export async function wake() {
  if (!isOn) return;
  context ??= new AudioContext();
  // Before the first touch this waits; nobody waits for it.
  if (context.state === "suspended") await Promise.race([context.resume(), new Promise((done) => setTimeout(done, 300))]);
}

export function ring(kind) {
  if (!canSound()) return;
  const start = context.currentTime + 0.02;
  for (const [pitch, at, length] of RINGS[kind]) tone(pitch, start + at, length);
}

function tone(pitch, start, length) {
  const source = context.createOscillator();
  const volume = context.createGain();
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(0.2, start + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}
