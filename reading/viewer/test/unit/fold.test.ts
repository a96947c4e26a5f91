import { expect, test } from 'vitest';
import { LOSSY, SAME_METHOD } from '../../src/base/flags';
import { folded } from '../../src/data/fold';

type Row = readonly [depth: number, begin: number, end: number, method: number, calls: number, flags: number];

/** In a window of 1000, in which 10 can just be seen. */
function fold(...rows: readonly Row[]): Row[] {
  const column = (of: number) => rows.map((row) => row[of]!);
  const slices = {
    depth: column(0),
    begin: column(1),
    end: column(2),
    method: column(3),
    calls: column(4),
    flags: column(5),
  };
  const got = folded(slices, 10, 1000);
  return got.depth.map((depth, i) => [depth, got.begin[i]!, got.end[i]!, got.method[i]!, got.calls[i]!, got.flags[i]!]);
}

const PARENT: Row = [0, -5, 1005, 1, 1, 0];
const run = (begin: number, end: number, more: Partial<{ method: number; flags: number; depth: number }> = {}): Row => [
  more.depth ?? 1,
  begin,
  end,
  more.method ?? 2,
  40,
  more.flags ?? SAME_METHOD,
];

test('the calls of a loop are one slice', () => {
  const single: Row = [1, 405, 409, 2, 1, 0];
  expect(fold(PARENT, run(100, 200), run(204, 300), run(304, 400), single)).toEqual([
    PARENT,
    [1, 100, 409, 2, 121, SAME_METHOD],
  ]);
  expect(fold(PARENT, single)).toEqual([PARENT, single]);
});

test('what is not known to be calls of one loop stays as it is', () => {
  const stays = (...rows: Row[]) => expect(fold(...rows)).toEqual(rows);
  stays(PARENT, run(100, 200), run(204, 300, { method: 3 })); // another method
  stays(PARENT, run(100, 200), run(204, 300, { flags: 0 })); // other methods in it
  stays(PARENT, run(100, 200), run(204, 300, { flags: SAME_METHOD | LOSSY }));
  stays(PARENT, run(100, 200), run(210, 300)); // something else between them
  stays([0, 50, 202, 1, 1, 0], [0, 203, 400, 1, 1, 0], run(100, 200), run(204, 300)); // other callers
  stays([0, 50, 400, 1, 7, SAME_METHOD], run(100, 200), run(204, 300)); // callers that are not apart
  stays(run(100, 200), run(204, 300)); // callers that are not here
  stays(PARENT, run(-20, 200), run(204, 300)); // goes on outside
  stays(PARENT, run(100, 200), run(204, 1000));
  stays(PARENT, [1, 100, 120, 2, 1, 0], [1, 124, 140, 2, 1, 0]); // drawn apart
});

test('outermost calls have no caller, and each caller has its own', () => {
  expect(fold(run(100, 200, { depth: 0 }), run(204, 300, { depth: 0 }))).toEqual([[0, 100, 300, 2, 80, SAME_METHOD]]);
  const callers: Row[] = [
    [0, 50, 450, 1, 1, 0],
    [0, 500, 900, 1, 1, 0],
  ];
  expect(fold(...callers, run(100, 200), run(204, 300), run(600, 700), run(704, 800))).toEqual([
    ...callers,
    [1, 100, 300, 2, 80, SAME_METHOD],
    [1, 600, 800, 2, 80, SAME_METHOD],
  ]);
});
