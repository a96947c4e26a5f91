import type { CountedAnswer } from './contract';

/** Counted calls as they are drawn: of one method, or of all that would be too narrow. */
export interface CountedBlock {
  /** Undefined: of several. */
  readonly method: number | undefined;
  readonly methods: number;
  readonly calls: number;
  readonly time: number;
  readonly share: number;
  readonly estimated: boolean;
  readonly atLeast: boolean;
}

/** Narrower ones are put together; so are those of which no time is known. */
const LEAST_SHARE = 0.01;

/** Blocks as wide as the time they spent themselves, the widest first; none of the calls is left out. */
export function countedBlocks(answer: CountedAnswer, whole: number): CountedBlock[] {
  const scale = Math.max(1, whole, answer.time);
  const all = answer.method.map((method, i) => ({
    method,
    methods: 1,
    calls: answer.counted[i]!,
    time: answer.self[i]!,
    share: answer.self[i]! / scale,
    estimated: answer.estimated[i] === 1,
    atLeast: answer.atLeast[i] === 1,
  }));
  const wide = all.filter((block) => block.share >= LEAST_SHARE).sort((a, b) => b.time - a.time || a.method - b.method);
  const narrow = all.filter((block) => block.share < LEAST_SHARE);
  const calls = answer.calls - wide.reduce((sum, block) => sum + block.calls, 0);
  if (calls === 0) return wide;
  const time = Math.max(0, answer.time - wide.reduce((sum, block) => sum + block.time, 0));
  const rest = {
    method: narrow.length === 1 ? narrow[0]!.method : undefined,
    methods: narrow.length,
    calls,
    time,
    share: time / scale,
    estimated: narrow.some((block) => block.estimated),
    atLeast: narrow.some((block) => block.atLeast),
  };
  return [...wide, rest];
}
