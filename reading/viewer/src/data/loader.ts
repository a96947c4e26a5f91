import type { Nanos } from '../base/time';
import { type Client, LostError, RefusedError } from './client';
import type { Cache } from './cache';
import { folded } from './fold';
import type { Methods } from './methods';
import { OwnPiece } from './own-piece';
import { type Extent, laneKey, type Lane, Piece } from './piece';

/** What the picture needs now. */
export interface Wanted {
  readonly from: Nanos;
  readonly to: Nanos;
  /** The shortest visible time in nanoseconds. */
  readonly resolution: Nanos;
  readonly duration: Nanos;
  /** The most urgent first. */
  readonly lanes: readonly Lane[];
}

interface Request extends Wanted {
  readonly abort: AbortController;
}

const TOGETHER = 16;
const AT_ONCE = 4;

/** Asks for one piece per lane; all lanes have the same depths. */
export type Fetch<P> = (wanted: Wanted, signal: AbortSignal) => Promise<readonly P[]>;

/** What threads did. */
export function fetchCalls(client: Client, methods: Methods): Fetch<Piece> {
  return async ({ from, to, resolution, lanes }, signal) => {
    const tracks = lanes.map((lane) => lane.track);
    const answer = await client.window({ from, to, resolution, tracks, depths: lanes[0]!.depths }, signal);
    await methods.need(answer.tracks.flatMap((track) => track.method));
    return answer.tracks.map(
      (track) => new Piece(from, to, resolution, folded(track, Number(resolution), Number(to - from)), answer.cut),
    );
  };
}

/** The events of the program's own. */
export function fetchOwn(client: Client, methods: Methods): Fetch<OwnPiece> {
  return async ({ from, to, resolution, lanes }, signal) => {
    const answer = await client.own({ from, to, resolution, tracks: lanes.map((lane) => lane.track) }, { signal });
    await methods.need(
      answer.tracks.flatMap(({ marks, curves }) => [...marks.event, ...curves.map((curve) => curve.event)]),
    );
    return answer.tracks.map((track) => new OwnPiece(from, to, resolution, track));
  };
}

/**
 * Fetches what is visible and not here yet. Asks for more than the window, so that panning finds
 * it already there; requests that are no longer wanted are dropped.
 */
export class Loader<P extends Extent> {
  private wanted: Wanted | undefined;
  private readonly running = new Set<Request>();
  private paused = false;

  constructor(
    private readonly fetch: Fetch<P>,
    private readonly cache: Cache<P>,
    private readonly onLoaded: () => void,
    private readonly onFailed: (error: LostError | RefusedError) => void,
  ) {}

  /** Whether the picture still waits for something. */
  get busy(): boolean {
    return this.running.size > 0;
  }

  want(wanted: Wanted): void {
    this.wanted = wanted;
    this.pump();
  }

  /** Sends no more requests until `resume`; what is on the screen stays. */
  pause(): void {
    this.paused = true;
    this.running.forEach((request) => request.abort.abort());
  }

  resume(): void {
    this.paused = false;
    this.pump();
  }

  private pump(): void {
    const wanted = this.wanted;
    if (!wanted || this.paused) return;
    const missing = wanted.lanes.filter((lane) => !this.cache.has(lane, wanted.from, wanted.to, wanted.resolution));
    const useful = new Set<Request>();
    const open = missing.filter((lane) => {
      const request = [...this.running].find((r) => brings(r, lane, wanted));
      if (request) useful.add(request);
      return !request;
    });
    for (const request of this.running) {
      if (!useful.has(request)) request.abort.abort();
    }
    for (const lanes of grouped(open)) {
      if (useful.size >= AT_ONCE) break;
      const request = { ...widened(wanted), lanes, abort: new AbortController() };
      useful.add(request);
      void this.run(request);
    }
  }

  private async run(request: Request): Promise<void> {
    this.running.add(request);
    const { lanes, abort } = request;
    try {
      (await this.fetch(request, abort.signal)).forEach((piece, i) => this.cache.put(lanes[i]!, piece));
    } catch (error) {
      if (!abort.signal.aborted) this.failed(error);
    } finally {
      this.running.delete(request);
    }
    this.onLoaded();
    this.pump();
  }

  private failed(error: unknown): void {
    if (!(error instanceof LostError || error instanceof RefusedError)) throw error;
    this.pause();
    this.onFailed(error);
  }
}

function brings(request: Request, lane: Lane, wanted: Wanted): boolean {
  return (
    !request.abort.signal.aborted &&
    request.from <= wanted.from &&
    request.to >= wanted.to &&
    request.resolution <= wanted.resolution &&
    request.lanes.some((other) => laneKey(other) === laneKey(lane))
  );
}

/** The window with half its length more on both sides, inside the recording. */
function widened(wanted: Wanted): Wanted {
  const margin = (wanted.to - wanted.from) / 2n + 1n;
  const from = wanted.from - margin;
  const to = wanted.to + margin;
  return { ...wanted, from: from < 0n ? 0n : from, to: to > wanted.duration ? wanted.duration : to };
}

/** Groups for one request each: few tracks, the same rows of all of them. */
function grouped(lanes: readonly Lane[]): Lane[][] {
  const groups = new Map<string, Lane[]>();
  const full: Lane[][] = [];
  for (const lane of lanes) {
    let group = groups.get(lane.depths);
    if (!group || group.length === TOGETHER) {
      group = [];
      full.push(group);
      groups.set(lane.depths, group);
    }
    group.push(lane);
  }
  return full;
}
