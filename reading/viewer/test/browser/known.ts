import type { Rgb, Theme } from '../../src/base/colours';
import { Hues } from '../../src/base/hues';

/** The facts about the recording that the server module's `KnownRecordings.shop()` makes. */
export const MS = 1_000_000n;
export const DURATION = 1000n * MS;
export const MARKUP = `<img src=x onerror="document.title='hacked'">`;

export const MAIN = ['com.example.shop.Main', 'main'] as const;
export const ORDER = ['com.example.shop.Shop', 'order'] as const;
export const TAKE = ['com.example.stock.Stock', 'take'] as const;
export const QUERY = ['org.base.Db', 'query'] as const;
export const TICK = ['org.clock.Clock', 'tick'] as const;
export const EVIL = [`evil.${MARKUP}`, 'run'] as const;

/** Track 0, the main thread: depth, method, begin, end. */
export const MAIN_CALLS = [
  [0, MAIN, 0n, DURATION],
  [1, ORDER, 100n * MS, 400n * MS],
  [1, ORDER, 500n * MS, 900n * MS],
  [2, TAKE, 150n * MS, 250n * MS],
  [2, QUERY, 600n * MS, 700n * MS],
] as const;
export const MAIN_DEPTH = 4;

/** The hues of its packages, in the order of its methods. */
const hues = new Hues();
hues.adopt({
  of: 'package',
  names: ['com.example.shop', 'com.example.stock', 'org.base', 'evil.<img src=x onerror="document', 'org.clock'],
  others: [],
});

export function methodColour(type: string, name: string, theme: Theme): Rgb {
  return hues.method(type, name, theme);
}
