import type { SummaryAnswer } from './contract';

/** How classes are grouped: by the first parts of their package, by whole package, or one by one. */
export type Level = number | 'package' | 'class';

export const NO_PACKAGE = '(no package)';

export interface Category {
  readonly name: string;
  readonly self: number;
  readonly calls: number;
  readonly methods: number;
  /** The class with the most self time in it; its colour is the category's. */
  readonly type: string;
}

export function categoryOf(type: string, level: Level): string {
  if (level === 'class') return type;
  const dot = type.lastIndexOf('.');
  if (dot < 0) return NO_PACKAGE;
  const parts = type.slice(0, dot).split('.');
  return (level === 'package' ? parts : parts.slice(0, level)).join('.');
}

/** The largest number of parts that a package has. */
export function deepest(types: Iterable<string>): number {
  let most = 0;
  for (const type of types) most = Math.max(most, type.split('.').length - 1);
  return most;
}

/** Self time and calls by category, the costliest first. */
export function categorize(summary: SummaryAnswer, typeOf: (method: number) => string, level: Level): Category[] {
  const found = new Map<string, { self: number; calls: number; methods: number; types: Map<string, number> }>();
  summary.method.forEach((method, i) => {
    const type = typeOf(method);
    const name = categoryOf(type, level);
    let sum = found.get(name);
    if (!sum) found.set(name, (sum = { self: 0, calls: 0, methods: 0, types: new Map() }));
    sum.self += summary.self[i]!;
    sum.calls += summary.calls[i]!;
    sum.methods++;
    sum.types.set(type, (sum.types.get(type) ?? 0) + summary.self[i]!);
  });
  return [...found]
    .map(([name, { types, ...sums }]) => ({ name, ...sums, type: largest(types) }))
    .sort((a, b) => b.self - a.self);
}

function largest(types: ReadonlyMap<string, number>): string {
  let [best, most] = ['', -1];
  for (const [type, self] of types) if (self > most) [best, most] = [type, self];
  return best;
}

/** The filter for a table of methods that shows those of a category. */
export function filterFor(name: string, level: Level): string {
  if (name === NO_PACKAGE) return '/^[^.]*\\.[^.]*$/';
  const quoted = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const whole = level === 'package' || (level !== 'class' && name.split('.').length < level);
  return whole ? `/^${quoted}\\.[^.]*\\.[^.]*$/` : `/^${quoted}\\./`;
}
