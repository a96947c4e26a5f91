import { useEffect, useState } from 'preact/hooks';

const RESTED_MS = 120;

/** Requested only when the pointer rests on something. */
export function useRested<T>(key: string | undefined, ask: () => Promise<T>): T | undefined {
  const [known, setKnown] = useState<{ key: string; answer: T }>();
  useEffect(() => {
    if (key === undefined) return;
    const timer = setTimeout(async () => {
      try {
        setKnown({ key, answer: await ask() });
      } catch {
        // A tooltip works without it; the picture's own requests report a lost server.
      }
    }, RESTED_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return known !== undefined && known.key === key ? known.answer : undefined;
}
