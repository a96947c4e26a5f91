import type { CountedAnswer } from './contract';

/** A block of counted calls: of one method, or of all methods whose blocks would be too narrow. */
export interface CountedBlock {
  /** Undefined: several methods. */
  readonly method: number | undefined;
  readonly methods: number;
  readonly calls: number;
  readonly time: number;
  readonly share: number;
  readonly estimated: boolean;
  readonly atLeast: boolean;
}

/** Narrower blocks are merged; so are those whose time is not known. */
const LEAST_SHARE = 0.01;

/** Blocks as wide as their self time, the widest first; no call is left out. */
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
