import type { ShowMessage } from '../base/viewer-message';
import type { Role } from '../differences/contract';
import { askLong } from './ask';
import type { PlacedCall } from './coupling';

type Call = Omit<ShowMessage, 'kymo'>;

/** A call in the picture, with its times in nanoseconds as text. */
export interface TimedCall extends Omit<Call, 'time'> {
  readonly begin: string;
  readonly duration: string;
}

/** What the server says of a call; numbers count from 0. */
export interface Match {
  readonly threads: string;
  readonly number: number;
  readonly count: number;
  readonly otherNumber: number;
  readonly otherCount: number;
  readonly own: TimedCall;
  /** null = the other recording has no call by this path. */
  readonly call: TimedCall | null;
}

/** Asks for the call of the other side that stands for one; a newer question ends an older one. */
export class Matching {
  private asking: AbortController | undefined;

  /**
   * Of a call of recording `from`, in recording `to`. `partner` knows the other names of threads by those of their role.
   * `undefined` if another question came meanwhile; null if there is no such call any more.
   */
  async ask(
    call: Call,
    from: number,
    to: number,
    partner: (role: string) => string,
    progress: (share: number) => void,
  ): Promise<Match | null | undefined> {
    this.stop();
    const asking = new AbortController();
    this.asking = asking;
    const question = `api/match?from=${from + 1}&to=${to + 1}&track=${call.track}&depth=${call.depth}&time=${call.time}`;
    const ask = async (path: string) => (await askLong<{ match: Match | null }>(path, asking.signal, progress)).match;
    try {
      const match = await ask(question);
      const renamed = match && !match.call ? partner(match.threads) : '';
      return renamed ? await ask(`${question}&threads=${encodeURIComponent(renamed)}`) : match;
    } catch (error) {
      if (asking.signal.aborted) return undefined;
      throw error;
    }
  }

  /** Ends the server's work on a question. */
  stop(): void {
    this.asking?.abort();
  }
}

/** `3rd`. */
export function ordinal(number: number): string {
  const teens = number % 100 > 10 && number % 100 < 14;
  const ending = teens ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return number.toLocaleString('en') + ending;
}

function ofSo(number: number, count: number): string {
  return count === 1 ? 'the only call' : `the ${ordinal(number + 1)} of ${count.toLocaleString('en')} calls`;
}

/** What was matched with what; `own` and `other` are the sides' names. */
export function matchText(match: Match, own: string, other: string): string {
  const { number, count, otherNumber, otherCount, threads } = match;
  const mine = `${own}: ${ofSo(number, count)} of this path by ${threads}`;
  if (otherCount === 0) return `${mine}; ${other}: none.`;
  const last = otherNumber === number ? '' : ', its last';
  return `${mine}; ${other}: ${ofSo(otherNumber, otherCount)}${last}.`;
}

/** What the role of some threads is called on the other side, if it has another name there; or empty. */
export function partnerOf(role: string, roles: readonly Role[], toNew: boolean): string {
  const found = roles.find(({ inBase, inNew }) => (toNew ? inBase : inNew) === role);
  const name = (toNew ? found?.inNew : found?.inBase) ?? '';
  return name === role ? '' : name;
}

/** A call of the server's, as windows are aligned by it. */
export function placed(index: number, call: Pick<TimedCall, 'begin' | 'duration'>, whole: number): PlacedCall {
  return { index, begin: BigInt(call.begin), duration: BigInt(call.duration), whole: BigInt(Math.floor(whole)) };
}
