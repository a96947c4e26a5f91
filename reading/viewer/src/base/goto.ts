import type { Nanos } from './time';

const SIZES: Readonly<Record<string, bigint>> = {
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ns: 1n,
  min: 60_000_000_000n,
};
const DAY_MS = 86_400_000;

/**
 * A time as people write it: `1.5s`, `600 ms`, `12.345678901` (seconds, for it has a point), `600`
 * (nanoseconds), or the time of day, `14:03:27.5`, of the day on which the recording began.
 * `within` converts a time of the whole recording to one of this part.
 */
export function parseTime(
  text: string,
  wallBegin: Nanos,
  within: (time: Nanos) => Nanos = (time) => time,
): Nanos | undefined {
  const words = text.replace(/[\s_\u202f\u00a0]+/g, '').replace(',', '.');
  const length = /^(\d{1,18})(?:\.(\d*))?([a-zµμ]*)$/i.exec(words);
  if (length) {
    const [, whole, part, unit] = length;
    const size = SIZES[unit!.toLowerCase() || (part === undefined ? 'ns' : 's')];
    return size === undefined ? undefined : within(BigInt(whole!) * size + fraction(part ?? '', size));
  }
  const day = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/.exec(words);
  return day ? timeOfDay(day, wallBegin) : undefined;
}

function fraction(digits: string, size: bigint): bigint {
  const kept = digits.slice(0, 18);
  return (BigInt(kept || '0') * size) / 10n ** BigInt(kept.length);
}

function timeOfDay(parts: RegExpExecArray, wallBegin: Nanos): Nanos | undefined {
  const [hours, minutes, seconds] = [Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const date = new Date(Number(wallBegin / 1_000_000n));
  date.setHours(hours, minutes, seconds, 0);
  const rest = BigInt((parts[4] ?? '').padEnd(9, '0'));
  const at = (moment: number) => BigInt(moment) * 1_000_000n + rest - wallBegin;
  // A recording may run past midnight: a smaller time of day then is on the next day.
  const sameDay = at(date.getTime());
  return sameDay < -BigInt(DAY_MS / 2) * 1_000_000n ? at(date.getTime() + DAY_MS) : sameDay;
}
