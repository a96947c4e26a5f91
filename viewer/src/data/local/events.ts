import { INFERRED_END, OPEN_BEGIN, OPEN_END, UNWOUND } from '../../base/flags';
import type { EventsQuestion } from '../client';
import type { EventsAnswer } from '../contract';
import { timeText } from './place';
import type { LocalSelection } from './selection';
import type { TrackCalls } from './track';

interface Found {
  readonly track: TrackCalls;
  readonly event: number;
  readonly time: number;
}

/** Events of a selection in the order of time; all of one time come together. */
export function events(selection: LocalSelection, question: EventsQuestion): EventsAnswer {
  const { count, back } = question;
  const at = Number(question.at);
  const found = selection.tracks.flatMap((track) =>
    back ? before(track, at, selection, count) : after(track, at, selection, count),
  );
  found.sort((a, b) => a.time - b.time || a.track.id - b.track.id);
  const page = back ? lastOf(found, count) : firstOf(found, count);
  return { ...columns(page), more: page.length < found.length };
}

/** One more than the page holds, and all of that one's time: what is left over says there are more. */
function after(track: TrackCalls, at: number, { from, to }: LocalSelection, count: number): Found[] {
  const all = track.events();
  const found: Found[] = [];
  for (let i = firstAt(track, Math.max(at, from)); i < all.length; i++) {
    const time = track.eventTime(all[i]!);
    if (time > to || (found.length > count && time > found.at(-1)!.time)) break;
    if (recorded(track, all[i]!)) found.push({ track, event: all[i]!, time });
  }
  return found;
}

function before(track: TrackCalls, at: number, { from, to }: LocalSelection, count: number): Found[] {
  const all = track.events();
  const found: Found[] = [];
  for (let i = firstAt(track, Math.min(at, to + 1)) - 1; i >= 0; i--) {
    const time = track.eventTime(all[i]!);
    if (time < from || (found.length > count && time < found.at(-1)!.time)) break;
    if (recorded(track, all[i]!)) found.push({ track, event: all[i]!, time });
  }
  return found.reverse();
}

function firstAt(track: TrackCalls, time: number): number {
  const all = track.events();
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (track.eventTime(all[middle]!) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Begins and ends that are not known, or inferred, are no events. */
function recorded(track: TrackCalls, event: number): boolean {
  const missing = event % 2 === 0 ? OPEN_BEGIN : OPEN_END | INFERRED_END;
  return (track.flags[event >>> 1]! & missing) === 0;
}

function firstOf(found: readonly Found[], count: number): readonly Found[] {
  let end = Math.min(count, found.length);
  while (end < found.length && found[end]!.time === found[end - 1]!.time) end++;
  return found.slice(0, end);
}

function lastOf(found: readonly Found[], count: number): readonly Found[] {
  let first = Math.max(0, found.length - count);
  while (first > 0 && found[first - 1]!.time === found[first]!.time) first--;
  return found.slice(first);
}

function columns(page: readonly Found[]): Omit<EventsAnswer, 'more'> {
  const call = ({ event }: Found) => event >>> 1;
  return {
    time: page.map((e) => timeText(e.time)),
    track: page.map((e) => e.track.id),
    depth: page.map((e) => e.track.depth[call(e)]!),
    method: page.map((e) => e.track.method[call(e)]!),
    kind: page.map((e) => (e.event % 2 === 0 ? 0 : (e.track.flags[call(e)]! & UNWOUND) !== 0 ? 2 : 1)),
    duration: page.map((e) => e.track.end[call(e)]! - e.track.begin[call(e)]!),
  };
}
