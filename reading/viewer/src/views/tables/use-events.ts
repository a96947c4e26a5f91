import { useEffect, useRef, useState } from 'preact/hooks';
import type { Nanos } from '../../base/time';
import { LostError } from '../../data/client';
import type { EventsAnswer, Scope } from '../../data/contract';
import { EventList } from '../../data/event-list';
import type { Model } from '../../state/model';

/** Events that are fetched together. */
const PAGE = 200;

interface Loaded {
  readonly events: EventList | undefined;
  readonly busy: boolean;
  readonly progress: number | undefined;
  readonly failed: string | undefined;
  /** The server does not answer; the request will be repeated. */
  readonly lost: boolean;
  /** How often the list was restarted. */
  readonly loads: number;
  readonly load: (time: Nanos) => void;
  readonly extend: (back: boolean) => void;
}

/** Fetches events page by page; a new place in time starts a new list. */
export function useEventList(model: Model, scope: Scope): Loaded {
  const [state, setState] = useState<Omit<Loaded, 'load' | 'extend'>>({
    events: undefined,
    busy: false,
    progress: undefined,
    failed: undefined,
    lost: false,
    loads: 0,
  });
  const abort = useRef(new AbortController());
  const extending = useRef(false);
  useEffect(() => () => abort.current.abort(), []);

  const page = async (at: Nanos, back: boolean, signal: AbortSignal): Promise<EventsAnswer> => {
    const onProgress = (progress: number) => setState((old) => ({ ...old, progress }));
    const answer = await model.client.events(
      scope,
      { at, count: PAGE, back, ...model.eventFilter.choice },
      { signal, onProgress },
    );
    await model.methods.need(answer.method.filter((method) => method >= 0));
    return answer;
  };
  const run = async (work: (signal: AbortSignal) => Promise<Partial<Loaded>>) => {
    const { signal } = abort.current;
    setState((old) => ({ ...old, busy: true, progress: undefined, failed: undefined, lost: false }));
    try {
      const done = await work(signal);
      if (!signal.aborted) setState((old) => ({ ...old, ...done, busy: false, loads: old.loads + (done.loads ?? 0) }));
    } catch (error) {
      const lost = error instanceof LostError;
      if (!signal.aborted) setState((old) => ({ ...old, busy: false, failed: (error as Error).message, lost }));
    }
  };
  const load = (time: Nanos) => {
    abort.current.abort();
    abort.current = new AbortController();
    extending.current = false;
    void run(async (signal) => {
      const [before, after] = await Promise.all([page(time, true, signal), page(time, false, signal)]);
      return { events: EventList.around(before, after), loads: 1 };
    });
  };
  const extend = (back: boolean) => {
    const { events } = state;
    if (!events || events.length === 0 || extending.current || state.busy) return;
    if (!(back ? events.moreBefore : events.moreAfter)) return;
    extending.current = true;
    void run(async (signal) => {
      const next = await page(back ? events.begin : events.end, back, signal);
      return { events: back ? events.before(next) : events.after(next) };
    }).finally(() => (extending.current = false));
  };
  return { ...state, load, extend };
}
