import { useEffect, useMemo, useState } from 'preact/hooks';
import { windowEnd } from '../../base/window';
import type { TrackKind } from '../../base/words';
import { LostError, type Waiting, type Client } from '../../data/client';
import type { Recording, Scope } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import type { Model } from '../../state/model';
import type { Range } from '../../state/selection';
import { useModel } from './use';

const STILL_MS = 300;
export const RETRY_MS = 2000;

/** The window as it was when it last stood still. */
export function useStillWindow(model: Model): Range {
  const now = useModel(model, (m) => `${m.window.start} ${windowEnd(m.window)}`);
  const [still, setStill] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => setStill(now), STILL_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return useMemo(() => {
    const [from, to] = still.split(' ').map(BigInt);
    return { from: from!, to: to! < model.duration ? to! : model.duration };
  }, [still]);
}

/** The selection that the tables are about now. */
export function useScope(model: Model): Scope {
  const still = useStillWindow(model);
  const range = useModel(model, (m) => m.selection.range);
  const follow = useModel(model, (m) => m.selection.follow);
  const tracks = useModel(model, (m) => m.selection.tracks);
  const recording = useModel(model, (m) => m.recording);
  const about = useModel(model, (m) => m.panel.about);
  const part = range ?? (follow ? still : undefined);
  const which = useMemo(() => whichTracks(recording, tracks, about), [recording, tracks, about]);
  const key = scopeKey({ ...part, ...which });
  return useMemo(
    () => ({
      ...(part ? { from: part.from, to: part.to } : {}),
      ...which,
    }),
    [key],
  );
}

/** The tracks of a kind that belong to the selected threads; without selected threads, all of the kind. */
export function whichTracks(
  recording: Recording | undefined,
  threads: ReadonlySet<number>,
  about: TrackKind,
): Pick<Scope, 'tracks' | 'kind'> {
  const all = recording?.tracks ?? [];
  if (threads.size === 0) return all.some((track) => track.kind !== 'calls') ? { kind: about } : {};
  const ids = all
    .filter((track) => track.kind === about && threads.has(track.of < 0 ? track.id : track.of))
    .map((track) => track.id);
  return { tracks: ids };
}

/** The same part for what may be on any track of the selected threads. */
export function onAllTracks(
  { from, to }: Scope,
  recording: Recording | undefined,
  threads: ReadonlySet<number>,
): Scope {
  const part = from !== undefined && to !== undefined ? { from, to } : {};
  if (threads.size === 0) return part;
  const all = recording?.tracks ?? [];
  return {
    ...part,
    tracks: all.filter((track) => threads.has(track.of < 0 ? track.id : track.of)).map((track) => track.id),
  };
}

export interface Asked<T> {
  /** The last answer; while a request is running, the answer to the previous question. */
  readonly answer: T | undefined;
  readonly busy: boolean;
  /** The share that is done, if the server says. */
  readonly progress: number | undefined;
  readonly failed: string | undefined;
}

/** Asks a question, and asks again when its key changes; a request that is no longer wanted is cancelled. */
export function useAnswer<T extends { method?: readonly number[] }>(
  model: Model,
  key: string,
  question: (client: Client, waiting: Waiting) => Promise<T>,
): Asked<T> {
  const { questions } = model;
  const [asked, setAsked] = useState<Asked<T> & { key: string }>(() => fresh(key, questions.known<T>(key)));
  useEffect(() => {
    const known = questions.known<T>(key);
    if (known) {
      setAsked(fresh(key, known));
      return;
    }
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setAsked((old) => ({ ...fresh(key, old.answer), busy: true }));
    const ask = async () => {
      const onProgress = (progress: number) => setAsked((old) => ({ ...old, progress }));
      try {
        setAsked(fresh(key, await questions.ask(key, question, { signal: abort.signal, onProgress })));
      } catch (error) {
        if (abort.signal.aborted) return;
        setAsked({ ...fresh(key, undefined), failed: (error as Error).message });
        if (error instanceof LostError) timer = setTimeout(() => void ask(), RETRY_MS);
      }
    };
    void ask();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [key]);
  // Until the effect has run, this is the answer to another question.
  return asked.key === key ? asked : { ...asked, busy: true };
}

function fresh<T>(key: string, answer: T | undefined): Asked<T> & { key: string } {
  return { key, answer, busy: false, progress: undefined, failed: undefined };
}
