import type { Call, MethodAnswer, Recording, WindowAnswer } from './contract';
import { withTimes } from './contract';
import type { Nanos } from '../base/time';

/** The server answered, but with a refusal; the message is its sentence. */
export class RefusedError extends Error {}

/** No answer at all. */
export class LostError extends Error {}

export interface WindowQuestion {
  readonly from: Nanos;
  readonly to: Nanos;
  readonly resolution: Nanos;
  readonly tracks: readonly number[];
  /** Ranges such as `0-15,40`. */
  readonly depths: string;
}

/** Answers what the page wants to know of a recording; docs/design/server.md says what the answers mean. */
export interface Client {
  recording(): Promise<Recording>;
  window(question: WindowQuestion, signal: AbortSignal): Promise<WindowAnswer>;
  methods(ids: readonly number[]): Promise<readonly MethodAnswer[]>;
  call(track: number, depth: number, time: Nanos): Promise<Call | undefined>;
}

/** Asks the server. */
export class ServerClient implements Client {
  recording(): Promise<Recording> {
    return ask<Recording>('api/recording');
  }

  window(question: WindowQuestion, signal: AbortSignal): Promise<WindowAnswer> {
    const { from, to, resolution, tracks, depths } = question;
    const query = `from=${from}&to=${to}&resolution=${resolution}&tracks=${tracks.join()}&depth=${depths}`;
    return ask<WindowAnswer>(`api/window?${query}`, signal);
  }

  async methods(ids: readonly number[]): Promise<readonly MethodAnswer[]> {
    const answers: MethodAnswer[] = [];
    for (let i = 0; i < ids.length; i += 1000) {
      const part = ids.slice(i, i + 1000).join();
      answers.push(...(await ask<{ methods: MethodAnswer[] }>(`api/methods?ids=${part}`)).methods);
    }
    return answers;
  }

  async call(track: number, depth: number, time: Nanos): Promise<Call | undefined> {
    const query = `track=${track}&depth=${depth}&time=${time}`;
    return (await ask<{ call: Call | null }>(`api/call?${query}`)).call ?? undefined;
  }
}

async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  let text: string;
  let ok: boolean;
  try {
    const answer = await fetch(path, { cache: 'no-store', ...(signal ? { signal } : {}) });
    ok = answer.ok;
    text = await answer.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new LostError('The server does not answer.');
  }
  if (ok) return JSON.parse(text, path.startsWith('api/window') ? undefined : withTimes) as T;
  throw new RefusedError(sentence(text));
}

function sentence(text: string): string {
  try {
    return (JSON.parse(text) as { error: string }).error;
  } catch {
    return 'The server refused to answer.';
  }
}
