import type { Rgb, Theme } from './colours';

/** What a thread can wait for; `docs/design/server.md` has the names. */
export const STATE_KINDS = ['monitor', 'lock', 'park', 'sleep', 'wait', 'join', 'start'] as const;
export type StateKind = (typeof STATE_KINDS)[number];

interface Look {
  /** What a thread in this state does. */
  readonly says: string;
  /** What its arrows come from. */
  readonly released: string;
  readonly light: Rgb;
  readonly dark: Rgb;
}

/**
 * Colours that differ in hue and in lightness, also for those who see no red, green or blue; the
 * dark text on them can be read. Being kept out is warm, waiting on purpose is cool.
 */
const LOOKS: Record<StateKind, Look> = {
  monitor: { says: 'waits to enter a monitor', released: 'left the monitor', light: [217, 83, 21], dark: [225, 92, 33] },
  lock: { says: 'waits for a lock', released: 'released the lock', light: [239, 164, 20], dark: [240, 180, 41] },
  park: { says: 'is parked', released: 'unparked it', light: [125, 194, 243], dark: [112, 178, 228] },
  sleep: { says: 'sleeps', released: 'woke it', light: [199, 205, 201], dark: [128, 124, 149] },
  wait: { says: 'waits to be notified', released: 'notified it', light: [48, 121, 218], dark: [68, 122, 211] },
  join: { says: 'waits for a thread to end', released: 'ended', light: [211, 127, 189], dark: [219, 138, 173] },
  start: { says: 'is started, but does not run yet', released: 'started it', light: [31, 166, 115], dark: [32, 170, 117] },
};

/** The kind of waiting that a method stands for, if it is no method but a state. */
export function stateKind(method: { readonly type: string; readonly descriptor: string }): StateKind | undefined {
  if (method.descriptor !== '') return undefined;
  return STATE_KINDS.find((kind) => kind === method.type);
}

export function stateColour(kind: StateKind, theme: Theme): Rgb {
  return LOOKS[kind][theme];
}

export function stateSays(kind: StateKind): string {
  return LOOKS[kind].says;
}

/** What the thread did that let another one go on. */
export function released(kind: StateKind): string {
  return LOOKS[kind].released;
}

/** An object as Java writes it: class and identity. */
export function objectName(type: string, identity: number): string {
  return identity === 0 ? type : `${type}@${(identity >>> 0).toString(16)}`;
}
