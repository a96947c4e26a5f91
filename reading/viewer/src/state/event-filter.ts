import type { Address } from '../base/address';
import {
  begins,
  EVENT_GROUPS,
  type EventGroup,
  groupName,
  groupOfRow,
  groupOfTrack,
  rowOfEvent,
} from '../base/event-groups';
import { quoted } from '../base/pattern';
import type { TrackKind } from '../base/words';
import type { EventsChoice } from '../data/client';
import type { Recording } from '../data/contract';
import type { Method } from '../data/methods';
import { matcher, type Matcher } from '../data/table';
import type { Arrow } from '../render/arrow';
import type { Shown } from '../render/shown';
import type { Core } from './core';

/** Which events are listed, and which of them stand out in the timeline. */
export class EventFilter implements Shown {
  /** Undefined: all. */
  groups: ReadonlySet<EventGroup> | undefined;
  /** Part of a name, or a regular expression between slashes. */
  text = '';
  private matches: Matcher | undefined;
  /** By the number of a method; forgotten when names become known. */
  private readonly known = new Map<number, boolean>();
  private learned = 0;
  private offers: { readonly recording: Recording; readonly groups: readonly EventGroup[] } | undefined;

  constructor(private readonly core: Core) {}

  /** Whether anything is left out. */
  get on(): boolean {
    return this.groups !== undefined || this.named;
  }

  /** An invalid or incomplete regular expression filters nothing. */
  get wrong(): boolean {
    return this.text !== '' && this.matches === undefined;
  }

  get named(): boolean {
    return this.text !== '' && this.matches !== undefined;
  }

  /** The groups that this recording can have. */
  get offered(): readonly EventGroup[] {
    const { recording } = this.core;
    if (!recording) return [];
    if (this.offers?.recording !== recording) this.offers = { recording, groups: groupsOf(recording) };
    return this.offers.groups;
  }

  /** Adds a group, or removes it; without any group, all are shown. */
  toggle(group: EventGroup): void {
    const groups = new Set(this.groups);
    if (!groups.delete(group)) groups.add(group);
    this.groups = groups.size === 0 ? undefined : groups;
    this.core.remember();
  }

  showAllGroups(): void {
    this.groups = undefined;
    this.core.remember();
  }

  setText(text: string): void {
    this.take(text);
    this.core.remember();
  }

  /** False if there was nothing to clear. */
  clear(): boolean {
    if (this.groups === undefined && this.text === '') return false;
    this.groups = undefined;
    this.take('');
    this.core.remember();
    return true;
  }

  private take(text: string): void {
    this.text = text;
    this.matches = text === '' ? undefined : matcher(text);
    this.known.clear();
  }

  /** What to ask for. */
  get choice(): EventsChoice {
    const expression = /^\/(.*)\/$/s.exec(this.text)?.[1];
    return {
      ...(this.groups ? { groups: EVENT_GROUPS.filter((group) => this.groups!.has(group)) } : {}),
      ...(this.named ? { pattern: expression ?? quoted(this.text) } : {}),
    };
  }

  /** In words. */
  get says(): string {
    const groups = this.groups && EVENT_GROUPS.filter((group) => this.groups!.has(group)).map(groupName);
    return [...(groups ? [groups.join(', ')] : []), ...(this.named ? [`‘${this.text}’`] : [])].join(' · ');
  }

  /** The filter for the picture; undefined: everything stands out. */
  get shown(): Shown | undefined {
    if (!this.on) return undefined;
    const { learned } = this.core.methods;
    if (learned !== this.learned) this.known.clear();
    this.learned = learned;
    return this;
  }

  slices(kind: TrackKind): ((method: number) => boolean) | undefined {
    const group = groupOfTrack(kind);
    const [calls, spans] = [this.has(group), this.has('own')];
    if (!this.named && calls === spans) return calls ? undefined : () => false;
    return (method) => (this.isSpan(method) ? spans : calls) && this.isNamed(method);
  }

  event(event: number): boolean {
    const kind = rowOfEvent(this.core.methods.get(event)?.event);
    return this.has(groupOfRow(kind)) && this.isNamed(event);
  }

  arrow({ message, method }: Arrow): boolean {
    return this.has(message ? 'messages' : 'wakes') && this.isNamed(method);
  }

  private has(group: EventGroup): boolean {
    return this.groups?.has(group) ?? true;
  }

  private isSpan(method: number): boolean {
    return begins(this.core.methods.get(method)?.event);
  }

  /** Methods whose names are not known yet are not made pale. */
  private isNamed(id: number): boolean {
    const { matches } = this;
    if (!matches) return true;
    let is = this.known.get(id);
    if (is === undefined) {
      const method = this.core.methods.get(id);
      is = method === undefined || matches(nameOf(method));
      this.known.set(id, is);
    }
    return is;
  }

  address(): Pick<Address, 'kinds' | 'only'> {
    const { groups } = this.choice;
    return { ...(groups ? { kinds: groups.join() } : {}), ...(this.text === '' ? {} : { only: this.text }) };
  }

  apply({ kinds, only = '' }: Address): void {
    const named = EVENT_GROUPS.filter((group) => kinds?.split(',').includes(group));
    this.groups = named.length > 0 ? new Set(named) : undefined;
    this.take(only);
  }
}

/** As the server matches it. */
function nameOf({ type, name }: Method): string {
  return type === '' ? name : `${type}.${name}`;
}

function groupsOf({ tracks, messages = false, kernelEvents = false }: Recording): readonly EventGroup[] {
  const kinds = new Set(tracks.map((track) => track.kind));
  const there: Record<EventGroup, boolean> = {
    calls: kinds.has('calls'),
    own: tracks.some((track) => track.instants !== undefined),
    counters: tracks.some((track) => (track.counters?.length ?? 0) > 0),
    messages,
    waits: kinds.has('states'),
    wakes: kinds.has('states') || kinds.has('scheduled'),
    scheduled: kinds.has('scheduled'),
    cpu: kinds.has('cpu'),
    kernel: kernelEvents && kinds.has('cpu'),
    jvm: kinds.has('jvm'),
    lost: tracks.some((track) => track.lost > 0),
  };
  return EVENT_GROUPS.filter((group) => there[group]);
}
