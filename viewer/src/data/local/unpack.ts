import { RefusedError } from '../client';
import { type MethodAnswer, type OverviewAnswer, type Recording, withTimes } from '../contract';
import { NumberColumn } from './columns';
import { type Gaps, TrackCalls } from './track';

/** A recording that is in the page. */
export interface LocalRecording {
  readonly recording: Recording;
  readonly methods: readonly MethodAnswer[];
  readonly overview: OverviewAnswer;
  readonly tracks: readonly TrackCalls[];
}

/** All calls, track by track, in the order of their ends. */
export interface CallColumns {
  readonly begin: Float64Array;
  readonly end: Float64Array;
  readonly depth: Uint32Array;
  readonly method: Uint32Array;
  readonly flags: Uint8Array;
}

interface Head {
  readonly recording: Recording;
  readonly methods: readonly MethodAnswer[];
  readonly overview: OverviewAnswer;
  readonly tracks: ReadonlyArray<{ readonly calls: number; readonly gaps: Gaps }>;
  /** Bytes of the columns depth, end, duration, method and flags. */
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
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + length));
  const head = JSON.parse(text, withTimes) as Head;
  const columns = callColumns(head, bytes.subarray(4 + length));
  let first = 0;
  const tracks = head.tracks.map(({ calls, gaps }, id) => {
    first += calls;
    return new TrackCalls(id, columns, first - calls, calls, gaps);
  });
  return { recording: head.recording, methods: head.methods, overview: head.overview, tracks };
}

async function decompressed(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = atob(base64.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function callColumns(head: Head, bytes: Uint8Array): CallColumns {
  const count = head.tracks.reduce((sum, track) => sum + track.calls, 0);
  let at = 0;
  const [depths, ends, durations, methods, flagBytes] = head.columns.map((size) => {
    at += size;
    return new NumberColumn(bytes.subarray(at - size, at));
  });
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
