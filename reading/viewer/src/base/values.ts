import { grouped } from './time';

/** Whether a counter's values are yes and no. */
export function isYesNo(fields: string): boolean {
  return /^\s*bool\s/.test(fields);
}

/** A counter's value, for reading. */
export function valueText(value: number, fields: string): string {
  if (isYesNo(fields)) return value === 0 ? 'false' : 'true';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return (value < 0 ? '−' : '') + grouped(size);
  if (size !== 0 && (size >= 1e15 || size < 1e-4))
    return value.toExponential(4).replace('e+', 'e').replaceAll('-', '−');
  return String(Number(value.toPrecision(6))).replace('-', '−');
}

/** What an event does, in a word. */
export const EVENT_KINDS = ['instant', 'begins', 'ends', 'counter', 'sends', 'receives'] as const;
