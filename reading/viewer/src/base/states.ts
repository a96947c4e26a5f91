import type { Rgb, Theme } from './colours';
import {
  BLOCKED,
  FAULT,
  HANDED,
  INTERRUPTED,
  JOIN,
  LOCK,
  MONITOR,
  type NativeWaitKind,
  PARK,
  RECORDER_WAIT_KINDS,
  RUNNABLE,
  RUNNING,
  SCHEDULER_STATES,
  type SchedulerState,
  WAIT,
  WAIT_KINDS,
  type WaitKind,
} from './words';

const STATE_KINDS = [...WAIT_KINDS, ...RECORDER_WAIT_KINDS, ...SCHEDULER_STATES] as const;
export type StateKind = (typeof STATE_KINDS)[number];

/** The scheduler's states that have arrows. */
export const KERNEL_ARROWS = [BLOCKED, RUNNABLE, HANDED] as const;
export type ArrowKind = WaitKind | (typeof KERNEL_ARROWS)[number] | 'message';
export const ARROW_KINDS: readonly ArrowKind[] = [...WAIT_KINDS, ...KERNEL_ARROWS, 'message'];
/** Processors switch threads all the time: their arrows are shown only on request. */
export const NOT_SHOWN: ReadonlySet<ArrowKind> = new Set([RUNNABLE]);

interface Look {
  /** What a thread in this state does. */
  readonly says: string;
  /** What its arrows come from. */
  readonly released: string;
  /** The name of its arrows, if it is not the state's. */
  readonly arrow?: string;
  /** The explanation of its arrows, if it is not `says`. */
  readonly arrowSays?: string;
  readonly light: Rgb;
  readonly dark: Rgb;
}

/**
 * Colours that differ in hue and in lightness, also for colour-blind readers; the
 * dark text on them can be read. Being kept out is warm, waiting on purpose is cool. States of the
 * program and of the kernel have separate strips.
 */
const LOOKS: Record<StateKind, Look> = {
  monitor: {
    says: 'waits to enter a monitor',
    released: 'left the monitor',
    light: [217, 83, 21],
    dark: [225, 92, 33],
  },
  lock: { says: 'waits for a lock', released: 'released the lock', light: [239, 164, 20], dark: [240, 180, 41] },
  park: { says: 'is parked', released: 'unparked it', light: [125, 194, 243], dark: [112, 178, 228] },
  sleep: { says: 'sleeps', released: 'woke it', light: [199, 205, 201], dark: [128, 124, 149] },
  wait: { says: 'waits to be notified', released: 'notified it', light: [48, 121, 218], dark: [68, 122, 211] },
  join: { says: 'waits for a thread to end', released: 'ended', light: [211, 127, 189], dark: [219, 138, 173] },
  start: {
    says: 'is started, but does not run yet',
    released: 'started it',
    light: [31, 166, 115],
    dark: [32, 170, 117],
  },
  weaving: {
    says: 'waits until Kymo has put probes into a class',
    released: '',
    light: [205, 175, 140],
    dark: [196, 166, 134],
  },
  running: { says: 'is running', released: '', light: [126, 196, 150], dark: [90, 186, 126] },
  runnable: {
    says: 'wants to run but has no processor',
    released: 'had the processor before',
    arrow: 'context switch',
    arrowSays: 'from the thread that had the processor before',
    light: [250, 205, 45],
    dark: [246, 206, 48],
  },
  blocked: {
    says: 'is blocked',
    released: 'woke it',
    arrow: 'wake-up',
    arrowSays: 'from the thread that woke a blocked one',
    light: [140, 146, 236],
    dark: [104, 108, 180],
  },
  interrupted: {
    says: 'is interrupted: its processor does something else',
    released: '',
    light: [226, 60, 28],
    dark: [200, 90, 40],
  },
  fault: {
    says: 'accessed a page that was not in memory',
    released: '',
    light: [190, 108, 172],
    dark: [196, 140, 226],
  },
  handed: {
    says: 'got the processor of the thread that woke it',
    released: 'gave it its processor',
    arrow: 'direct hand-off',
    arrowSays: 'from the thread that gave its processor to the one it woke',
    light: [17, 194, 220],
    dark: [180, 232, 250],
  },
};

/** The kind of waiting that each object of the C thread library stands for. */
const NATIVE: Readonly<Record<NativeWaitKind, WaitKind>> = {
  mutex: LOCK,
  rwlock: LOCK,
  spinlock: LOCK,
  once: MONITOR,
  condition: WAIT,
  semaphore: PARK,
  barrier: PARK,
};
const KINDS: ReadonlyMap<string, StateKind> = new Map([
  ...Object.entries(NATIVE),
  ...STATE_KINDS.map((kind) => [kind, kind] as const),
]);

/** The state that a method stands for; undefined if it is a real method. */
export function stateKind(method: { readonly type: string; readonly descriptor: string }): StateKind | undefined {
  if (method.descriptor !== '') return undefined;
  return KINDS.get(method.type);
}

/** Whether the kernel reports it, not the program. */
export function isKernel(kind: StateKind): kind is SchedulerState {
  return (SCHEDULER_STATES as readonly StateKind[]).includes(kind);
}

export function stateColour(kind: StateKind, theme: Theme): Rgb {
  return LOOKS[kind][theme];
}

export function stateSays(kind: StateKind): string {
  return LOOKS[kind].says;
}

/** What a thread did to let another one continue. */
export function released(kind: StateKind): string {
  return LOOKS[kind].released;
}

/** What the other thread does while this one still waits. */
export function holds(kind: StateKind): string {
  if (kind === JOIN) return 'has not ended';
  return kind === MONITOR ? 'has the monitor' : kind === LOCK ? 'has the lock' : 'has it';
}

/** Messages have the colours of their events. */
const MESSAGES: Record<Theme, Rgb> = { light: [112, 122, 138], dark: [154, 165, 181] };

/** The colour of the arrows of a kind. */
export function arrowColour(kind: ArrowKind, theme: Theme): Rgb {
  return kind === 'message' ? MESSAGES[theme] : stateColour(kind, theme);
}

export function arrowName(kind: ArrowKind): string {
  if (kind === 'message') return 'message';
  return LOOKS[kind].arrow ?? kind;
}

/** What an arrow of a kind means. */
export function arrowSays(kind: ArrowKind): string {
  if (kind === 'message') return 'from sender to receiver';
  return LOOKS[kind].arrowSays ?? LOOKS[kind].says;
}

/** What the kernel did, in words: `blocked in futex`. */
export function kernelWords(kind: SchedulerState, what: string): string {
  switch (kind) {
    case RUNNING:
      return `running on ${what}`;
    case RUNNABLE:
      return `runnable, ${what}`;
    case BLOCKED:
      return what ? `blocked in ${what}` : 'blocked';
    case INTERRUPTED:
      return `interrupted by ${what}`;
    case FAULT:
      return 'page fault';
    case HANDED:
      return 'processor handed over';
  }
}

/** Which thread was involved, in words: `woken by worker-3`; empty if that is not known. */
export function byWhom(kind: SchedulerState, name: string | undefined): string {
  if (name === undefined) return '';
  if (kind === BLOCKED) return `woken by ${name}`;
  return kind === HANDED ? `by ${name}` : `${name} had the processor before`;
}

/** An object as Java writes it: class and identity. */
export function objectName(type: string, identity: number): string {
  return identity === 0 ? type : `${type}@${(identity >>> 0).toString(16)}`;
}
