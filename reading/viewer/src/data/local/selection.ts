import type { TrackKind } from '../../base/words';
import type { Scope } from '../contract';
import type { TrackCalls } from './track';
import type { LocalRecording } from './unpack';

/** Part of a recording: the calls that overlap its times, with the time they spend inside. */
export interface LocalSelection {
  readonly from: number;
  readonly to: number;
  readonly tracks: readonly TrackCalls[];
}

export function selected(data: LocalRecording, scope: Scope): LocalSelection {
  return {
    from: scope.from === undefined ? 0 : Number(scope.from),
    to: scope.to === undefined ? Infinity : Number(scope.to),
    tracks: scope.tracks ? [...new Set(scope.tracks)].map((id) => data.tracks[id]!) : ofKind(data, scope.kind),
  };
}

function ofKind({ recording, tracks }: LocalRecording, kind: TrackKind | undefined): readonly TrackCalls[] {
  return kind ? tracks.filter((track) => recording.tracks[track.id]!.kind === kind) : tracks;
}

/** Excludes tracks that show no calls, unless there are no others. */
export function ofCalls({ recording }: LocalRecording, selection: LocalSelection): LocalSelection {
  const tracks = selection.tracks.filter((track) => recording.tracks[track.id]!.kind === 'calls');
  return tracks.length === 0 ? selection : { ...selection, tracks };
}

/** Receives a call with its time inside the selection, in total and without its callees. */
export type CallVisitor = (track: TrackCalls, call: number, inside: number, self: number) => void;

/** Visits the calls of a selection, each after its callees. */
export function visitCalls({ from, to, tracks }: LocalSelection, visit: CallVisitor): void {
  for (const track of tracks) {
    const { begin, end, depth, count } = track;
    const pending = new Float64Array(track.depths + 1);
    for (let call = 0; call < count; call++) {
      if (!track.overlaps(call, from, to)) continue;
      const inside = Math.min(end[call]!, to) - Math.max(begin[call]!, from);
      const d = depth[call]!;
      const self = inside - pending[d + 1]!;
      pending[d + 1] = 0;
      pending[d]! += inside;
      visit(track, call, inside, self);
    }
  }
}

/** Whether events were lost in a selection: sums over it are lower bounds. */
export function lossy(data: LocalRecording, selection: LocalSelection): boolean {
  return lossyProcesses(data, selection).size > 0;
}

/** The processes whose events were lost in a selection. */
export function lossyProcesses(data: LocalRecording, { from, to, tracks }: LocalSelection): ReadonlySet<number> {
  const { recording } = data;
  const processOf = (track: TrackCalls) => recording.tracks[track.id]!.process;
  const gaps = tracks.filter(({ gaps }) => gaps.from.some((begin, i) => begin <= to && gaps.to[i]! >= from));
  const selected = new Set(tracks.map(processOf));
  const all = tracks.length === data.tracks.length;
  // Events lost without a ring: their threads and times are not known.
  const lost = recording.processes.filter((p) => p.lost > 0 && (all || selected.has(p.process)));
  return new Set([...gaps.map(processOf), ...lost.map((p) => p.process)]);
}
