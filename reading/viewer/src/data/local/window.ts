import { OPEN_END, SAME_METHOD } from '../../base/flags';
import type { WindowQuestion } from '../client';
import type { SliceColumns, WindowAnswer } from '../contract';
import { NESTED, type TrackCalls } from './track';

/** The same limit as on the server. */
const MAX_SLICES = 60_000;
/** The maximum length of a run, in units of the resolution. */
const MAX_RUN = 32;
const MAX_PERIODS = 2000;

/** Answers a window as the server does: short calls of a depth are merged with their neighbours. */
export function windowAnswer(tracks: readonly TrackCalls[], question: WindowQuestion): WindowAnswer {
  const from = Number(question.from);
  const to = Number(question.to);
  const depths = depthRanges(question.depths);
  const asked = Number(question.resolution);
  let resolution = asked;
  for (;;) {
    const room = { left: MAX_SLICES };
    const answers = question.tracks.map((id) => {
      return { track: id, ...slices(tracks[id]!, { from, to, resolution }, depths, room) };
    });
    const widest = resolution > to - from;
    if (room.left >= 0 || widest) return { coarser: resolution !== asked, cut: room.left < 0, tracks: answers };
    resolution = Math.max(resolution * 4, Math.max(1, Math.floor((to - from) / 16384)));
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly resolution: number;
}

type DepthRange = readonly [first: number, last: number];

/** `0-15,40` */
function depthRanges(text: string): DepthRange[] {
  if (text === '') return [[0, Infinity]];
  return text.split(',').map((part) => {
    const [first, last] = part.split('-');
    return [Number(first), Number(last ?? first)] as const;
  });
}

function slices(calls: TrackCalls, span: Span, depths: readonly DepthRange[], room: { left: number }): SliceColumns {
  const writer = new RunWriter(span, room);
  for (let depth = 0; depth < calls.depths && room.left >= 0; depth++) {
    if (!depths.some(([first, last]) => depth >= first && depth <= last)) continue;
    const [, end] = calls.row(depth);
    for (let place = calls.firstEndingAt(depth, span.from); place < end && room.left >= 0; place++) {
      const call = calls.at(place);
      if (calls.begin[call]! > span.to) break;
      writer.add(depth, calls, call);
    }
    writer.write();
  }
  return { ...writer.columns, gaps: gapColumns(calls, span), counts: periodColumns(calls, span) };
}

/** Writes the slices of one depth after the other, merging those too short to be seen. */
class RunWriter {
  readonly columns = {
    begin: [] as number[],
    end: [] as number[],
    depth: [] as number[],
    method: [] as number[],
    calls: [] as number[],
    flags: [] as number[],
  };
  // The slice that can still grow.
  private count = 0;
  private depth = 0;
  private begin = 0;
  private end = 0;
  private method = 0;
  private flags = 0;
  /** How long its method took. */
  private time = 0;
  private same = true;

  constructor(
    private readonly span: Span,
    private readonly room: { left: number },
  ) {}

  add(depth: number, calls: TrackCalls, call: number): void {
    const begin = calls.begin[call]!;
    const end = calls.end[call]!;
    const flags = calls.flags[call]! & ~NESTED;
    const method = calls.method[call]!;
    if (this.count > 0 && this.mergeable(begin, end, flags)) {
      this.merge(end, method, flags, end - begin);
      return;
    }
    this.write();
    this.count = 1;
    this.depth = depth;
    this.begin = begin;
    this.end = end;
    this.method = method;
    this.flags = flags;
    this.time = end - begin;
    this.same = true;
  }

  private mergeable(begin: number, end: number, flags: number): boolean {
    const { resolution } = this.span;
    return (
      begin - this.end < resolution &&
      end - this.begin <= MAX_RUN * resolution &&
      !(this.count === 1 && this.kept(this.begin, this.end, this.flags)) &&
      !this.kept(begin, end, flags)
    );
  }

  /** Whether a call is drawn by itself: it is long enough, or has no end. */
  private kept(begin: number, end: number, flags: number): boolean {
    return end - begin >= this.span.resolution || (flags & OPEN_END) !== 0;
  }

  private merge(end: number, method: number, flags: number, time: number): void {
    if (method === this.method) {
      this.time += time;
    } else {
      this.same = false;
      if (time > this.time) {
        this.method = method;
        this.time = time;
      }
    }
    this.end = Math.max(this.end, end);
    this.flags |= flags;
    this.count++;
  }

  write(): void {
    if (this.count === 0) return;
    if (--this.room.left >= 0) {
      this.columns.begin.push(this.begin - this.span.from);
      this.columns.end.push(this.end - this.span.from);
      this.columns.depth.push(this.depth);
      this.columns.method.push(this.method);
      this.columns.calls.push(this.count);
      this.columns.flags.push(this.flags | (this.count > 1 && this.same ? SAME_METHOD : 0));
    }
    this.count = 0;
  }
}

/** Readings that are too close to each other are merged, so that there are not many more of them than pixels. */
function periodColumns({ counts }: TrackCalls, { from, to, resolution }: Span): SliceColumns['counts'] {
  const columns = { from: [] as number[], to: [] as number[], calls: [] as number[] };
  const shortest = Math.max(resolution, Math.floor((to - from) / MAX_PERIODS));
  counts.periods.from.forEach((begin, i) => {
    const end = counts.periods.to[i]!;
    if (begin >= to || end <= from) return;
    const last = columns.to.length - 1;
    if (last >= 0 && end - from - columns.from[last]! < shortest) {
      columns.to[last] = end - from;
      columns.calls[last]! += counts.periods.calls[i]!;
    } else {
      columns.from.push(begin - from);
      columns.to.push(end - from);
      columns.calls.push(counts.periods.calls[i]!);
    }
  });
  return columns;
}

/** Gaps closer to each other than the resolution become one. */
function gapColumns(calls: TrackCalls, { from, to, resolution }: Span): SliceColumns['gaps'] {
  const columns = { from: [] as number[], to: [] as number[], lost: [] as number[], unknown: [] as boolean[] };
  calls.gaps.from.forEach((begin, i) => {
    const end = calls.gaps.to[i]!;
    if (begin > to || end < from) return;
    const lost = calls.gaps.lost[i]!;
    const last = columns.to.length - 1;
    if (last >= 0 && begin - from - columns.to[last]! < resolution) {
      columns.to[last] = Math.max(columns.to[last]!, end - from);
      columns.lost[last]! += Math.max(0, lost);
      columns.unknown[last] ||= lost < 0;
    } else {
      columns.from.push(begin - from);
      columns.to.push(end - from);
      columns.lost.push(Math.max(0, lost));
      columns.unknown.push(lost < 0);
    }
  });
  return columns;
}
