import { harmless } from '../../base/harmless';
import { RefusedError } from '../client';
import { type MethodAnswer, type OverviewAnswer, type Recording, type StepsAnswer, withTimes } from '../contract';
import { type CallColumns, NumberColumn } from './columns';
import { type OwnData, readEvents } from './own';
import { type Periods, TrackCounts } from './counts';
import { type Details, type Gaps, TrackCalls } from './track';

/** A recording that is in the page. */
export interface LocalRecording {
  readonly recording: Recording;
  readonly methods: readonly MethodAnswer[];
  readonly overview: OverviewAnswer;
  readonly steps: StepsAnswer;
  readonly tracks: readonly TrackCalls[];
  /** Events of the program's own. */
  readonly own: OwnData;
  readonly messages: MessageColumns;
  /** The shortest duration in each bucket of what was counted. */
  readonly buckets: readonly number[];
}

/** Messages, in the order of their receives; times are nanoseconds. */
export interface MessageColumns {
  readonly time: readonly number[];
  readonly waited: readonly number[];
  readonly fromTrack: readonly number[];
  readonly toTrack: readonly number[];
  readonly method: readonly number[];
}

interface Head {
  readonly recording: Recording;
  /** Nanoseconds from the begin of the recording it was cut from, as text. */
  readonly origin?: string;
  readonly methods: readonly MethodAnswer[];
  readonly overview: OverviewAnswer;
  readonly steps: StepsAnswer;
  readonly tracks: ReadonlyArray<{
    readonly calls: number;
    readonly gaps: Gaps;
    readonly counts: Periods;
    readonly own: number;
  }>;
  /** Data of the events of the program's own. */
  readonly texts: readonly string[];
  readonly messages: MessageColumns;
  readonly buckets: readonly number[];
  /**
   * Sizes in bytes of the columns: depth, end, duration, method and flags; the object and the ender of states; what was
   * counted; time, event and text of the events of the program's own.
   */
  readonly columns: readonly number[];
}

/** Unpacks what `kymo slice` has put into the page; docs/design/server.md has the layout. */
export async function unpack(base64: string): Promise<LocalRecording> {
  try {
    return await unpacked(base64);
  } catch (error) {
    throw new RefusedError(`The recording in this page cannot be read: ${(error as Error).message}.`);
  }
}

async function unpacked(base64: string): Promise<LocalRecording> {
  const bytes = await decompressed(base64);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const text = harmless(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const head = JSON.parse(text, withTimes) as Head;
  let at = 4 + length;
  const columns = head.columns.map((size) => {
    at += size;
    return new NumberColumn(bytes.subarray(at - size, at));
  });
  const all = callColumns(head, columns);
  const [objects, others, counts, ownTimes, ownEvents, ownTexts] = columns.slice(5);
  const own = {
    tracks: head.tracks.map((track) => readEvents(track.own, ownTimes!, ownEvents!, ownTexts!)),
    texts: head.texts,
  };
  let first = 0;
  const tracks = head.tracks.map(({ calls, gaps, counts: periods }, id) => {
    first += calls;
    const { kind } = head.recording.tracks[id]!;
    const details =
      kind === 'states' || kind === 'scheduled' || kind === 'jvm' ? readDetails(calls, objects!, others!) : undefined;
    return new TrackCalls(id, all, first - calls, calls, gaps, TrackCounts.read(periods, counts!), details);
  });
  const { methods, overview, steps, buckets, messages } = head;
  const without = { onDisk: false, kernelEvents: false, instructions: false };
  const { samples: _, ...known } = head.recording; // their stacks are not in the page
  const recording = { ...known, ...without, origin: BigInt(head.origin ?? 0) };
  return { recording, methods, overview, steps, tracks, own, messages, buckets };
}

/** Reads for each state of a track the object waited for, and the track that ended it. */
function readDetails(count: number, objects: NumberColumn, others: NumberColumn): Details {
  const details = { object: new Uint32Array(count), other: new Int32Array(count) };
  for (let i = 0; i < count; i++) {
    details.object[i] = objects.next();
    details.other[i] = others.next() - 1;
  }
  return details;
}

async function decompressed(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = atob(base64.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function callColumns(head: Head, columns: readonly NumberColumn[]): CallColumns {
  const count = head.tracks.reduce((sum, track) => sum + track.calls, 0);
  const [depths, ends, durations, methods, flagBytes] = columns;
  const begin = new Float64Array(count);
  const end = new Float64Array(count);
  const depth = new Uint32Array(count);
  const method = new Uint32Array(count);
  const flags = new Uint8Array(count);
  let i = 0;
  for (const track of head.tracks) {
    let time = 0;
    for (const last = i + track.calls; i < last; i++) {
      time += ends!.nextSigned();
      end[i] = time;
      begin[i] = time - durations!.next();
      depth[i] = depths!.next();
      method[i] = methods!.next();
      flags[i] = flagBytes!.next();
    }
  }
  return { begin, end, depth, method, flags };
}
