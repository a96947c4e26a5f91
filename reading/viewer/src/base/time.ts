/**
 * Times in readable form. A time is a bigint of nanoseconds since the recording's begin and is
 * never converted to a double: beyond 2^53 (104 days) that would round it.
 */
export type Nanos = bigint;

/** Narrow no-break space: groups digits without letting a number be broken. */
const GROUP = '\u202f';

const UNITS: ReadonlyArray<{ name: string; size: bigint; digits: number }> = [
  { name: 's', size: 1_000_000_000n, digits: 9 },
  { name: 'ms', size: 1_000_000n, digits: 6 },
  { name: 'µs', size: 1_000n, digits: 3 },
  { name: 'ns', size: 1n, digits: 0 },
];
const NS = UNITS[3]!;

function unitOf(size: bigint): { name: string; size: bigint; digits: number } {
  return UNITS.find((unit) => size >= unit.size) ?? NS;
}

function abs(time: Nanos): Nanos {
  return time < 0n ? -time : time;
}

/** Groups the digits of a whole number by three: 1 234 567. */
export function grouped(number: bigint | number): string {
  const text = String(number);
  const digits = text.startsWith('-') ? text.slice(1) : text;
  const sign = digits === text ? '' : '−';
  return sign + digits.replace(/\B(?=(\d{3})+$)/g, GROUP);
}

/** A count to three digits: 412 M; up to a million it is exact. */
export function briefCount(count: number): string {
  if (count < 1_000_000) return grouped(count);
  const [unit, size] = count < 999_500_000 ? ['M', 1e6] : count < 999_500_000_000 ? ['G', 1e9] : ['T', 1e12];
  const value = count / (size as number);
  return `${value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)}${GROUP}${unit}`;
}

function decimals(time: Nanos, unit: bigint, digits: number, count: number): string {
  const whole = grouped(time / unit);
  if (count === 0) return whole;
  const rest = String(time % unit)
    .padStart(digits, '0')
    .slice(0, count);
  return whole + '.' + rest.replace(/(\d{3})(?=\d)/g, '$1' + GROUP);
}

/** To the last nanosecond: 12.345 678 901 s. */
export function exact(time: Nanos): string {
  const size = abs(time);
  const unit = unitOf(size);
  const rest = String(size % unit.size)
    .padStart(unit.digits, '0')
    .replace(/(000)+$/, '');
  const count = size % unit.size === 0n ? 0 : rest.length;
  return (time < 0n ? '−' : '') + decimals(size, unit.size, unit.digits, count) + GROUP + unit.name;
}

/** Four digits, rounded: 12.35 s. */
export function brief(time: Nanos): string {
  const size = abs(time);
  const sign = time < 0n ? '−' : '';
  let unit = unitOf(size);
  if (unit.digits === 0) return sign + grouped(size) + GROUP + unit.name;
  const rounded = roundTo(size, unit.size);
  if (rounded.value >= 1000n * unit.size && unit !== UNITS[0]) unit = unitOf(rounded.value);
  const { value, count } = roundTo(size, unit.size);
  return sign + decimals(value, unit.size, unit.digits, count) + GROUP + unit.name;
}

function roundTo(size: Nanos, unit: bigint): { value: Nanos; count: number } {
  const whole = size / unit;
  const count = whole >= 100n ? 1 : whole >= 10n ? 2 : 3;
  const step = unit / 10n ** BigInt(count);
  return { value: ((size + step / 2n) / step) * step, count };
}

/** Nanoseconds from the begin of the whole recording to the begin of a part that was cut from it. */
let origin: Nanos = 0n;

/** From now on, times count from the begin of the whole recording. */
export function countFrom(begin: Nanos): void {
  origin = begin;
}

/** A point in time with all digits, from the begin of the whole recording. */
export function moment(time: Nanos): string {
  return exact(time + origin);
}

/** Converts a point in time of the whole recording to one of this part. */
export function withinPart(time: Nanos): Nanos {
  return time - origin;
}

/** The ticks between two times, labelled from the begin of the whole recording. */
export function rulerOfPart(from: Nanos, to: Nanos, step: Nanos): Ruler {
  const whole = ruler(from + origin, to + origin, step);
  return origin === 0n
    ? whole
    : { ...whole, ticks: whole.ticks.map(({ time, label }) => ({ time: time - origin, label })) };
}

/** A tick on the ruler. */
export interface Tick {
  readonly time: Nanos;
  readonly label: string;
}

export interface Ruler {
  /** What the labels count from; 0 = the recording's begin. */
  readonly anchor: Nanos;
  readonly step: Nanos;
  readonly ticks: readonly Tick[];
}

/** The smallest of 1, 2, 5, 10, 20, ... nanoseconds that is at least this long. */
export function niceStep(atLeast: number): Nanos {
  let power = 1n;
  while (Number(power) * 10 <= atLeast) power *= 10n;
  for (const factor of [1n, 2n, 5n]) {
    if (Number(power * factor) >= atLeast) return power * factor;
  }
  return power * 10n;
}

/**
 * Places ticks between two times. Where full times would differ in their last digits only, labels
 * count from an anchor that stays the same while the reader looks around.
 */
export function ruler(from: Nanos, to: Nanos, step: Nanos): Ruler {
  const block = step * 10_000n;
  const anchor = to / step >= 100_000n ? (from / block) * block : 0n;
  const unit = unitOf(to - anchor);
  let count = unit.digits;
  while (count > 0 && (step * 10n ** BigInt(count - 1)) % unit.size === 0n) count--;
  const ticks: Tick[] = [];
  let time = (from / step) * step;
  if (time < from) time += step;
  for (; time <= to; time += step) {
    const text = decimals(time - anchor, unit.size, unit.digits, count) + GROUP + unit.name;
    ticks.push({ time, label: anchor === 0n ? text : '+' + text });
  }
  return { anchor, step, ticks };
}

/** Date and time of day of an absolute moment, in the reader's time zone. */
export function wallTime(wallBegin: Nanos, time: Nanos): string {
  const moment = wallBegin + time;
  const date = new Date(Number(moment / 1_000_000n));
  const rest = String(((moment % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n);
  const pad = (number: number) => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const clock = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return `${day} ${clock}.${rest.padStart(9, '0')}`;
}

/** By how much the times of a process may be wrong, in nanoseconds; empty if they are its recording's own. */
export function errorSays({ clockError }: { readonly clockError?: number }): string {
  return clockError
    ? `its clock was compared with another one: times may be wrong by ${exact(BigInt(clockError))}`
    : '';
}
