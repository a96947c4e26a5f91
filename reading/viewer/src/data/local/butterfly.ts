import type { ButterflyAnswer, ButterflySide } from '../contract';
import { lossy, type LocalSelection, ofCalls } from './selection';
import type { TrackCalls } from './track';
import type { LocalRecording } from './unpack';

const MAX_ROWS = 1000;
const NOBODY = -1;

interface Sums {
  calls: number;
  total: number;
}

/** Who called one method, and what it called, by the same rules as on the server. */
export function butterfly(data: LocalRecording, all: LocalSelection, method: number): ButterflyAnswer {
  const selection = ofCalls(data, all);
  const sums = { calls: 0, total: 0, self: 0, callers: new Map<number, Sums>(), callees: new Map<number, Sums>() };
  for (const track of selection.tracks) addTrack(sums, track, method, selection);
  const { calls, total, self, callers, callees } = sums;
  const called = [...callees.values()].reduce((sum, row) => sum + row.total, 0);
  return {
    atLeast: lossy(data, all),
    calls,
    total,
    self,
    itself: total - called,
    callers: side(callers),
    callees: side(callees),
  };
}

/** What the callees of a call need to know about it. */
interface Open {
  readonly method: number;
  /** Whether one of its callers, or it itself, is a call of the method. */
  readonly within: boolean;
  /** Whether one of its callers is. */
  readonly nested: boolean;
}

/** Backwards, callers come before their callees. */
function addTrack(
  sums: { calls: number; total: number; self: number; callers: Map<number, Sums>; callees: Map<number, Sums> },
  track: TrackCalls,
  method: number,
  { from, to }: LocalSelection,
): void {
  const outside: Open = { method: NOBODY, within: false, nested: false };
  const latest: Open[] = [outside];
  for (let call = track.count - 1; call >= 0; call--) {
    if (!track.overlaps(call, from, to)) continue;
    const depth = track.depth[call]!;
    const caller = latest[depth] ?? outside;
    const here = track.method[call]!;
    const inside = Math.min(track.end[call]!, to) - Math.max(track.begin[call]!, from);
    if (here === method) {
      const time = caller.within ? 0 : inside;
      sums.calls++;
      sums.total += time;
      sums.self += inside;
      add(sums.callers, caller.method, time);
    }
    if (caller.method === method) {
      sums.self -= inside;
      add(sums.callees, here, caller.nested ? 0 : inside);
    }
    latest[depth + 1] = { method: here, within: caller.within || here === method, nested: caller.within };
  }
}

function add(rows: Map<number, Sums>, method: number, time: number): void {
  let row = rows.get(method);
  if (!row) rows.set(method, (row = { calls: 0, total: 0 }));
  row.calls++;
  row.total += time;
}

function side(sums: ReadonlyMap<number, Sums>): ButterflySide {
  const rows = [...sums].sort(([m, a], [n, b]) => b.total - a.total || b.calls - a.calls || m - n);
  const most = rows.slice(0, MAX_ROWS);
  return {
    cut: rows.length - most.length,
    method: most.map(([method]) => method),
    calls: most.map(([, { calls }]) => calls),
    total: most.map(([, { total }]) => total),
  };
}
