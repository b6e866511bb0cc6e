/** No two tones are nearer than this, in milliseconds, whatever comes and however many tabs are open. */
const apart = 5_000;
const last = "linnet-tone";

/** A short tone, made here: two notes that fade. */
export function tone() {
  const now = Date.now();
  const before = Number(localStorage.getItem(last));
  if (before <= now && now - before < apart) return;
  localStorage.setItem(last, String(now));
  const context = new AudioContext();
  const loudness = context.createGain();
  const start = context.currentTime;
  loudness.gain.setValueAtTime(0.0001, start);
  loudness.gain.exponentialRampToValueAtTime(0.1, start + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, start + 0.6);
  loudness.connect(context.destination);
  for (const [pitch, delay] of [[880, 0], [1318.5, 0.1]]) {
    const voice = context.createOscillator();
    voice.frequency.value = pitch;
    voice.connect(loudness);
    voice.start(start + delay);
    voice.stop(start + 0.6);
  }
  // A browser that heard no click on the page yet plays nothing.
  setTimeout(() => void context.close(), 1_500);
}
