import { useEffect, useRef, useState } from 'preact/hooks';
import { LostError } from '../../data/client';
import type { HitsAnswer } from '../../data/contract';
import { HitList } from '../../data/hit-list';
import type { Model } from '../../state/model';
import { RETRY_MS } from '../parts/scope';

/** Hits that are fetched together. */
const PAGE = 200;

interface Loaded {
  readonly list: HitList | undefined;
  readonly busy: boolean;
  readonly failed: string | undefined;
  /** Starts a new list around a hit. */
  readonly load: (around: number) => void;
  readonly extend: (back: boolean) => void;
}

/** Fetches hits page by page. */
export function useHits(model: Model, total: number): Loaded {
  const [state, setState] = useState<Omit<Loaded, 'load' | 'extend'>>({
    list: undefined,
    busy: false,
    failed: undefined,
  });
  const abort = useRef(new AbortController());
  const extending = useRef(false);
  useEffect(() => () => abort.current.abort(), []);

  const page = async (first: number, count: number, signal: AbortSignal): Promise<HitsAnswer> => {
    const answer = await model.search.hits.page(first, count, signal);
    await model.methods.need(answer.method);
    return answer;
  };
  const run = async (work: (signal: AbortSignal) => Promise<HitList>) => {
    const { signal } = abort.current;
    setState((old) => ({ ...old, busy: true, failed: undefined }));
    try {
      const list = await work(signal);
      if (!signal.aborted) setState({ list, busy: false, failed: undefined });
    } catch (error) {
      if (signal.aborted) return;
      setState((old) => ({ ...old, busy: false, failed: (error as Error).message }));
      if (error instanceof LostError) setTimeout(() => !signal.aborted && void run(work), RETRY_MS);
    }
  };
  const load = (around: number) => {
    abort.current.abort();
    abort.current = new AbortController();
    extending.current = false;
    if (total === 0) {
      setState({ list: undefined, busy: false, failed: undefined });
      return;
    }
    const first = Math.max(0, Math.min(around - PAGE / 2, total - PAGE));
    void run(async (signal) => HitList.of(first, await page(first, PAGE, signal)));
  };
  const extend = (back: boolean) => {
    const { list } = state;
    if (!list || extending.current || state.busy || (back ? list.first === 0 : list.end >= total)) return;
    extending.current = true;
    void run(async (signal) => {
      if (!back) return list.after(await page(list.end, PAGE, signal));
      const first = Math.max(0, list.first - PAGE);
      return list.before(await page(first, list.first - first, signal));
    }).finally(() => (extending.current = false));
  };
  return { ...state, load, extend };
}
