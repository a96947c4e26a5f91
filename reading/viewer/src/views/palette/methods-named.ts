import { useEffect, useState } from 'preact/hooks';
import { quoted } from '../../base/pattern';
import { ranked } from '../../base/ranked';
import { LostError, RefusedError } from '../../data/client';
import type { Method } from '../../data/methods';
import type { Model } from '../../state/model';

const PAUSE_MS = 150;
const MOST = 12;
/** Number of names requested, to choose the best ones from. */
const ASKED = 300;

/** Methods whose names contain all words in this order, for the palette; choosing one searches for it. */
export function useMethodsNamed(model: Model, text: string) {
  const [found, setFound] = useState<readonly Method[]>([]);
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const pattern = words.map(quoted).join('.*');
  useEffect(() => {
    setFound([]);
    if (pattern.length < 2) return;
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { methods } = await model.client.search(pattern, { signal: asking.signal });
        const ids = methods.slice(0, ASKED);
        await model.methods.need(ids);
        if (asking.signal.aborted) return;
        const known = ids.flatMap((id) => model.methods.get(id) ?? []);
        setFound(ranked(known, (method) => method.label, text, MOST));
      } catch (error) {
        // Without an answer there are no methods to choose from; everything else still works.
        if (!asking.signal.aborted && !(error instanceof RefusedError || error instanceof LostError)) throw error;
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [pattern]);
  return found.map((method) => ({
    kind: 'method',
    text: method.full,
    note: 'search',
    act: () => model.search.open(`^${quoted(method.type ? `${method.type}.${method.name}` : method.name)}$`),
  }));
}
