import { useEffect, useState } from 'preact/hooks';

const RESTED_MS = 120;

/** Asked for only once the pointer rests on something. */
export function useRested<T>(key: string | undefined, ask: () => Promise<T>): T | undefined {
  const [known, setKnown] = useState<{ key: string; answer: T }>();
  useEffect(() => {
    if (key === undefined) return;
    const timer = setTimeout(async () => {
      try {
        setKnown({ key, answer: await ask() });
      } catch {
        // A tooltip does without; the picture's own requests tell of a lost server.
      }
    }, RESTED_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return known !== undefined && known.key === key ? known.answer : undefined;
}
