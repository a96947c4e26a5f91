import type { Rgb, Theme } from './colours';

/** What a thread can wait for, as the program tells it; `docs/design/server.md` has the names. */
export const WAIT_KINDS = ['monitor', 'lock', 'park', 'sleep', 'wait', 'join', 'start'] as const;
/** What the recorder did with it, and nobody let it go on. */
const OWN_KINDS = ['weaving'] as const;
/** What the kernel does with a thread. */
export const KERNEL_KINDS = ['running', 'runnable', 'blocked', 'interrupted', 'fault', 'handed'] as const;
const STATE_KINDS = [...WAIT_KINDS, ...OWN_KINDS, ...KERNEL_KINDS] as const;
export type KernelKind = (typeof KERNEL_KINDS)[number];
export type StateKind = (typeof STATE_KINDS)[number];

/** The kernel's kinds of which there are arrows. */
export const KERNEL_ARROWS = ['blocked', 'runnable', 'handed'] as const;
export type ArrowKind = (typeof WAIT_KINDS)[number] | (typeof KERNEL_ARROWS)[number] | 'message';
export const ARROW_KINDS: readonly ArrowKind[] = [...WAIT_KINDS, ...KERNEL_ARROWS, 'message'];
/** Processors change hands all the time: their arrows are shown to those who ask. */
export const NOT_SHOWN: ReadonlySet<ArrowKind> = new Set(['runnable']);

interface Look {
  /** What a thread in this state does. */
  readonly says: string;
  /** What its arrows come from. */
  readonly released: string;
  /** What its arrows are called, if not as the state. */
  readonly arrow?: string;
  /** And what they tell, if not what the thread did. */
  readonly arrowSays?: string;
  readonly light: Rgb;
  readonly dark: Rgb;
}

/**
 * Colours that differ in hue and in lightness, also for those who see no red, green or blue; the
 * dark text on them can be read. Being kept out is warm, waiting on purpose is cool. Those of the
 * program and those of the kernel stand in strips of their own.
 */
const LOOKS: Record<StateKind, Look> = {
  monitor: { says: 'waits to enter a monitor', released: 'left the monitor', light: [217, 83, 21], dark: [225, 92, 33] },
  lock: { says: 'waits for a lock', released: 'released the lock', light: [239, 164, 20], dark: [240, 180, 41] },
  park: { says: 'is parked', released: 'unparked it', light: [125, 194, 243], dark: [112, 178, 228] },
  sleep: { says: 'sleeps', released: 'woke it', light: [199, 205, 201], dark: [128, 124, 149] },
  wait: { says: 'waits to be notified', released: 'notified it', light: [48, 121, 218], dark: [68, 122, 211] },
  join: { says: 'waits for a thread to end', released: 'ended', light: [211, 127, 189], dark: [219, 138, 173] },
  start: { says: 'is started, but does not run yet', released: 'started it', light: [31, 166, 115], dark: [32, 170, 117] },
  weaving: { says: 'waits until Kymo has put probes into a class', released: '', light: [205, 175, 140], dark: [196, 166, 134] },
  running: { says: 'is running', released: '', light: [126, 196, 150], dark: [90, 186, 126] },
  runnable: {
    says: 'wants to run, has no processor',
    released: 'had the processor before',
    arrow: 'context switch',
    arrowSays: 'from who had the processor before',
    light: [250, 205, 45],
    dark: [246, 206, 48],
  },
  blocked: {
    says: 'is blocked',
    released: 'woke it',
    arrow: 'wake-up',
    arrowSays: 'from who woke a blocked thread',
    light: [140, 146, 236],
    dark: [104, 108, 180],
  },
  interrupted: { says: 'is interrupted: its processor does something else', released: '', light: [226, 60, 28], dark: [200, 90, 40] },
  fault: { says: 'met a page that was not there', released: '', light: [190, 108, 172], dark: [196, 140, 226] },
  handed: {
    says: 'got the processor of who woke it',
    released: 'gave it its processor',
    arrow: 'direct hand-off',
    arrowSays: 'from who gave its processor to the one it woke',
    light: [17, 194, 220],
    dark: [180, 232, 250],
  },
};

/** What the thread library's objects are waited for like. */
const NATIVE: ReadonlyMap<string, StateKind> = new Map([
  ['mutex', 'lock'],
  ['rwlock', 'lock'],
  ['spinlock', 'lock'],
  ['once', 'monitor'],
  ['condition', 'wait'],
  ['semaphore', 'park'],
  ['barrier', 'park'],
]);

/** The kind of waiting that a method stands for, if it is no method but a state. */
export function stateKind(method: { readonly type: string; readonly descriptor: string }): StateKind | undefined {
  if (method.descriptor !== '') return undefined;
  return NATIVE.get(method.type) ?? STATE_KINDS.find((kind) => kind === method.type);
}

/** Whether the kernel tells of it, not the program. */
export function isKernel(kind: StateKind): kind is KernelKind {
  return (KERNEL_KINDS as readonly StateKind[]).includes(kind);
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

/** What the other thread does while one waits that has not gone on. */
export function holds(kind: StateKind): string {
  if (kind === 'join') return 'has not ended';
  return kind === 'monitor' ? 'has the monitor' : kind === 'lock' ? 'has the lock' : 'has it';
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

/** What an arrow of a kind tells. */
export function arrowSays(kind: ArrowKind): string {
  if (kind === 'message') return 'from who sent it to who received it';
  return LOOKS[kind].arrowSays ?? LOOKS[kind].says;
}

/** What the kernel did, in words: `blocked in futex`. */
export function kernelWords(kind: KernelKind, what: string): string {
  switch (kind) {
    case 'running':
      return `running on ${what}`;
    case 'runnable':
      return `runnable, ${what}`;
    case 'blocked':
      return what ? `blocked in ${what}` : 'blocked';
    case 'interrupted':
      return `interrupted by ${what}`;
    case 'fault':
      return 'page fault';
    case 'handed':
      return 'processor handed over';
  }
}

/** Who had to do with it, in words: `woken by worker-3`; nothing if that is not known. */
export function byWhom(kind: KernelKind, name: string | undefined): string {
  if (name === undefined) return '';
  if (kind === 'blocked') return `woken by ${name}`;
  return kind === 'handed' ? `by ${name}` : `${name} had the processor before`;
}

/** An object as Java writes it: class and identity. */
export function objectName(type: string, identity: number): string {
  return identity === 0 ? type : `${type}@${(identity >>> 0).toString(16)}`;
}
