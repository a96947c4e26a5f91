import { harmless } from '../base/harmless';

const AGAIN_MS = 100;

/** Asks until the answer is there, and reports how far the server is: 0 to 1. Errors are sentences for the reader. */
export async function askLong<T>(path: string, signal: AbortSignal, progress: (share: number) => void): Promise<T> {
  for (;;) {
    const { status, text } = await get(path, signal);
    const answer = parsed(text);
    if (status === 200) return answer as T;
    const { error, progress: share } = (answer ?? {}) as { error?: string; progress?: number };
    if (status !== 202) throw new Error(error ?? 'The server refused to answer.');
    progress(share ?? 0);
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    signal.throwIfAborted();
  }
}

async function get(path: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch(path, { cache: 'no-store', signal });
    return { status: answer.status, text: harmless(await answer.text()) };
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Error('The server does not answer.', { cause: error });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
