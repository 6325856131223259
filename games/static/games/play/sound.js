// The sounds of a table, made here of noise and a few tones: chips, cards, the bell of one's turn, a pot won, a message.
// How loud and which ones is a choice kept with the player (cardroom/accounts/look.py).

import { chosen, isOn } from "../../cardroom/look.js";

const VOLUME = { low: 0.3, loud: 1, off: 0 };
const WISH = { turn: "turn_sound", chips: "chip_sound", won: "chip_sound", cards: "card_sound", said: "chat_sound" };
/** The same sound twice within this is one, seconds. */
const APART = 0.07;
const last = {};
let context = null;
let out = null;
let noise = null;

/** How loud a sound of this kind is wished for: 0 for not at all. */
export const volumeOf = (name) => (isOn(WISH[name]) ? VOLUME[chosen("sounds")] ?? VOLUME.low : 0);

/** Make one of the sounds, where it is wished for. Browsers allow none before somebody has clicked or typed here. */
export function play(name) {
  const volume = volumeOf(name);
  // One's turn is heard in a tab that nobody looks at as well: it is for those who are elsewhere.
  if (!volume || (document.hidden && name !== "turn") || !navigator.userActivation?.hasBeenActive) return;
  open();
  const now = context.currentTime;
  if (now - (last[name] ?? -1) < APART) return;
  last[name] = now;
  out.gain.value = volume;
  MADE[name](now);
}

function open() {
  if (context) return;
  context = new AudioContext();
  out = context.createGain();
  out.connect(context.destination);
  noise = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
}

const MADE = {
  /** Three chips on a stack. */
  chips: (now) => [0, 0.042, 0.075].forEach((at, i) => rush(now + at, { from: 3400 + i * 700, q: 7, long: 0.035, loud: 0.9 - i * 0.2 })),
  /** A card over felt. */
  cards: (now) => rush(now, { from: 5200, to: 1700, q: 0.8, long: 0.12, loud: 0.34, rise: 0.03 }),
  turn: (now) => [[0, 659], [0.13, 880]].forEach(([at, pitch]) => bell(now + at, pitch, 0.55, 0.32)),
  won: (now) => {
    MADE.chips(now);
    [659, 880, 1109, 1319].forEach((pitch, i) => bell(now + 0.08 + i * 0.09, pitch, 0.5, 0.22));
  },
  said: (now) => bell(now, 523, 0.18, 0.2),
};

/** Noise in a band of frequencies, Hz, that may fall; `long` seconds. */
function rush(at, { from, to = from, q, long, loud, rise = 0.002 }) {
  const source = context.createBufferSource();
  const band = context.createBiquadFilter();
  source.buffer = noise;
  band.type = "bandpass";
  band.Q.value = q;
  band.frequency.setValueAtTime(from, at);
  band.frequency.exponentialRampToValueAtTime(to, at + long);
  source.connect(band).connect(swell(at, { loud, rise, long }));
  source.start(at, Math.random() * 0.2, long);
}

/** A struck tone with the partials of a small bell. */
function bell(at, pitch, long, loud) {
  for (const [times, part] of [[1, 1], [2.76, 0.28], [5.4, 0.1]]) {
    const tone = context.createOscillator();
    tone.frequency.value = pitch * times;
    tone.connect(swell(at, { loud: loud * part, rise: 0.004, long: long / Math.sqrt(times) }));
    tone.start(at);
    tone.stop(at + long);
  }
}

/** A volume that rises at once and dies away. */
function swell(at, { loud, rise, long }) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  gain.connect(out);
  return gain;
}
