import type { Part } from './contract';

const UNITS: ReadonlyArray<readonly [size: number, name: string]> = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'us'],
];

/** Nanoseconds as `kymo diff` writes them: 1.500 ms. */
export function time(nanos: number): string {
  const size = Math.abs(nanos);
  for (const [unit, name] of UNITS) {
    if (size < unit) continue;
    const value = size / unit;
    return `${value.toFixed(value < 10 ? 3 : value < 100 ? 2 : 1)} ${name}`;
  }
  return `${Math.round(size)} ns`;
}

export function signed(nanos: number): string {
  return (nanos < 0 ? '-' : nanos > 0 ? '+' : '') + time(nanos);
}

/** The style of a difference. */
export function kind(nanos: number): 'more' | 'less' | '' {
  return nanos > 0 ? 'more' : nanos < 0 ? 'less' : '';
}

/** How sure it is. */
export function certainty({ verdict, low, high }: Part): string {
  if (verdict === 'exact') return ' (exact)';
  if (verdict === 'once') return ' (exact, of one run)';
  if (verdict === 'incomplete') return ' (incomplete)';
  return low !== null && high !== null && low < high ? ` (${signed(low)} … ${signed(high)})` : '';
}

/** A method without its package: `Shop.order`. */
export function short(name: string): string {
  return name.replace(/^.*\.(?=[^.]*\.[^.]*$)/, '');
}
