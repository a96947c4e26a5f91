import { brief, exact, grouped } from './time';

/** What the widths of a graph stand for, and how that is written. */
export interface Measure {
  readonly brief: (amount: number) => string;
  readonly exact: (amount: number) => string;
  /** What is counted beside that. */
  readonly counted: (count: number) => string;
  /** Nothing is counted beside it: widths are the counts. */
  readonly plain?: true;
}

const count = (count: number, one: string, several: string) => `${grouped(count)} ${count === 1 ? one : several}`;
const samples = (number: number) => count(number, 'sample', 'samples');
const time = {
  brief: (amount: number) => brief(BigInt(Math.round(amount))),
  exact: (amount: number) => exact(BigInt(Math.round(amount))),
};

/** The time that calls took. */
export const CALL_TIME: Measure = { ...time, counted: (number) => count(number, 'call', 'calls') };

/** What samples are weighed by; without a unit each counts one. */
export function sampleMeasure(unit: string): Measure {
  if (unit === '') return { brief: samples, exact: samples, counted: samples, plain: true };
  if (unit === 'ns') return { ...time, counted: samples };
  if (unit === 'bytes') return { brief: bytes, exact: (amount) => `${grouped(amount)} bytes`, counted: samples };
  const written = (amount: number) => `${grouped(amount)} ${unit}`;
  return { brief: written, exact: written, counted: samples };
}

/** What the widths of a graph of samples are, in a choice. */
export function unitSays(unit: string): string {
  return { '': 'number', ns: 'time' }[unit] ?? unit;
}

const BYTES = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** To three digits. */
function bytes(amount: number): string {
  let value = amount;
  let unit = 0;
  while (value >= 999.5 && unit < BYTES.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${grouped(value.toFixed(digits) as unknown as number)} ${BYTES[unit]}`;
}
