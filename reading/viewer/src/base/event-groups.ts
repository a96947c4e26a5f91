import type { TrackKind } from './words';

/** What the list of events can be limited to; `docs/design/server.md` has the names. */
export const EVENT_GROUPS = [
  'calls',
  'own',
  'counters',
  'messages',
  'waits',
  'wakes',
  'scheduled',
  'cpu',
  'kernel',
  'jvm',
  'lost',
] as const;
export type EventGroup = (typeof EVENT_GROUPS)[number];

interface Words {
  readonly name: string;
  readonly says: string;
}

const WORDS: Record<EventGroup, Words> = {
  calls: { name: 'Calls', says: 'Enters and leaves of methods' },
  own: { name: 'Own events', says: 'The program’s own events, including those with a begin and an end' },
  counters: { name: 'Counters', says: 'Values of the program’s own counters' },
  messages: { name: 'Messages', says: 'The program’s own messages, where they were sent and received' },
  waits: { name: 'Waits', says: 'What threads waited for, as the program reports it' },
  wakes: { name: 'Wake-ups', says: 'Which thread let another one continue' },
  scheduled: { name: 'Scheduling', says: 'What the kernel did with threads' },
  cpu: { name: 'Processors', says: 'What processors ran' },
  kernel: {
    name: 'Kernel events',
    says: 'Raw events of the kernel; only here, not in the picture',
  },
  jvm: { name: 'Virtual machine', says: 'What the virtual machine did' },
  lost: { name: 'Losses', says: 'Where events are missing' },
};

export function groupName(group: EventGroup): string {
  return WORDS[group].name;
}

export function groupSays(group: EventGroup): string {
  return WORDS[group].says;
}

/** Kinds of rows, as the contract numbers them. */
export const ENTER = 0;
export const LEAVE = 1;
export const UNWIND = 2;
export const STATE = 3;
export const WOKEN = 4;
export const EVENT = 5;
export const COUNTER = 6;
export const SENT = 7;
export const RECEIVED = 8;
export const LOST = 9;
export const KERNEL = 10;

/** Whether a row is about a call or state: it has a begin and an end. */
export function ofCall(kind: number): boolean {
  return kind <= WOKEN;
}

/** What calls of a kind of track are. */
export function groupOfTrack(kind: TrackKind): EventGroup {
  return kind === 'states' ? 'waits' : kind;
}

/** Kinds of the program's own events, as definitions number them. */
const [BEGIN, COUNTS, SENDS, RECEIVES] = [1, 3, 4, 5];

/** Whether a kind of event of the program's own begins a call. */
export function begins(event: { readonly kind: number } | undefined): boolean {
  return event?.kind === BEGIN;
}

/** The kind of row for an event of the program's own. */
export function rowOfEvent(event: { readonly kind: number } | undefined): number {
  if (event?.kind === COUNTS) return COUNTER;
  if (event?.kind === SENDS) return SENT;
  return event?.kind === RECEIVES ? RECEIVED : EVENT;
}

/** The group of a row. */
export function groupOfRow(kind: number): EventGroup {
  if (kind === COUNTER) return 'counters';
  return kind === SENT || kind === RECEIVED ? 'messages' : 'own';
}
