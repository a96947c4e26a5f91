import { describe, expect, test } from 'vitest';
import { Cache } from '../../src/data/cache';
import { ServerClient, type WindowQuestion } from '../../src/data/client';
import { withTimes, type WindowAnswer } from '../../src/data/contract';
import { fetchCalls, Loader, type Wanted } from '../../src/data/loader';
import { described, Methods } from '../../src/data/methods';
import { Piece } from '../../src/data/piece';

const NO_GAPS = { from: [], to: [], lost: [], unknown: [] };
const EMPTY = {
  begin: [],
  end: [],
  depth: [],
  method: [],
  calls: [],
  flags: [],
  gaps: NO_GAPS,
  counts: { from: [], to: [], calls: [] },
};
const LANE = { track: 0, depths: '0-15' };

const piece = (from: bigint, to: bigint, resolution: bigint) => new Piece(from, to, resolution, EMPTY, false);

test('times become bigints, texts that look like it stay', () => {
  const read = JSON.parse('{"name":"12","begin":"9007199254740993","end":"killed"}', withTimes) as unknown;
  expect(read).toEqual({ name: '12', begin: 9_007_199_254_740_993n, end: 'killed' });
});

test('a hidden class is named without its address', () => {
  const facts = { id: 0, process: 0, name: 'run', descriptor: '()V', loader: '', source: '', line: 0 };
  const label = (type: string) => described({ ...facts, type }).label;
  expect(label('a.b.C$$Lambda.0x000000002c045210')).toBe('C.Lambda.run');
  expect(label('a.b.C$$Lambda/0x2c04')).toBe('C.Lambda.run');
  expect(label('a.b.C$D')).toBe('C.D.run');
});

test('a piece finds its slices by depth', () => {
  const columns = { ...EMPTY, begin: [0, 1, 5, 2], end: [9, 2, 6, 3], depth: [0, 1, 1, 4], method: [0, 0, 0, 0] };
  const found = new Piece(0n, 10n, 0n, columns, false);
  expect([0, 1, 2, 4].map((depth) => found.range(depth))).toEqual([
    [0, 1],
    [1, 3],
    [0, 0],
    [3, 4],
  ]);
});

test('a piece finds the first slice in sight', () => {
  const columns = { ...EMPTY, begin: [0, 10, 20, 0], end: [5, 15, 25, 9], depth: [0, 0, 0, 1], method: [0, 0, 0, 0] };
  const found = new Piece(0n, 30n, 0n, columns, false);
  expect([-1, 5, 6, 16, 26].map((offset) => found.firstEndingAt(0, offset))).toEqual([0, 0, 1, 2, 3]);
  expect(found.firstEndingAt(7, 0)).toBe(0);
});

test('native functions are named a while after their first call', async () => {
  const raw = {
    id: 3,
    process: 1,
    type: 'libx.so.1.2',
    name: '_Z1fi',
    descriptor: '+0x1139',
    loader: '/lib/libx.so.1.2',
    source: '',
    line: 0,
  };
  const answers = [raw, { ...raw, name: 'f', descriptor: '(int)', line: 7 }, { ...raw, name: 'never asked for' }];
  let asked = 0;
  const methods = new Methods({ methods: () => Promise.resolve([answers[asked++]!]) } as unknown as ServerClient);
  await methods.need([3]);
  expect(methods.get(3)).toMatchObject({ label: '_Z1fi', short: '_Z1fi', full: 'libx.so.1.2: _Z1fi' });
  const colour = methods.colour(3, 'light');
  await methods.need([3]);
  expect(methods.get(3)).toMatchObject({ label: 'f', full: 'libx.so.1.2: f', line: 7 });
  expect(methods.colour(3, 'light')).not.toBe(colour);
  await methods.need([3]);
  expect(asked).toBe(2);
  expect(described({ ...raw, type: '' }).full).toBe('_Z1fi');
});

test('functions of a native program are not all of one colour', async () => {
  const raw = { process: 1, type: '', descriptor: '', loader: '/usr/bin/pigz', source: 'pigz.c', line: 7 };
  const answers = ['compress_thread', 'write_thread', 'wait_for_', 'deflate_engine'].map((name, id) => ({
    ...raw,
    id,
    name,
  }));
  const methods = new Methods({ methods: () => Promise.resolve(answers) } as unknown as ServerClient);
  await methods.need([0, 1, 2, 3]);
  const reds = answers.map(({ id }) => methods.colour(id, 'light')[0]);
  expect(Math.max(...reds) - Math.min(...reds)).toBeGreaterThan(60);
});

describe('cache', () => {
  test('prefers the coarsest piece that is fine enough', () => {
    const cache = new Cache<Piece>();
    const [fine, right, coarse] = [piece(0n, 100n, 1n), piece(0n, 200n, 4n), piece(0n, 1000n, 64n)];
    [coarse, right, fine].forEach((p) => cache.put(LANE, p));
    expect(cache.best(LANE, 10n, 90n, 4n)).toBe(right);
    expect(cache.best(LANE, 10n, 90n, 1n)).toBe(fine);
    expect(cache.best(LANE, 10n, 900n, 8n)).toBe(coarse);
    expect(cache.has(LANE, 10n, 900n, 8n)).toBe(false);
    expect(cache.best({ track: 1, depths: '0-15' }, 0n, 1n, 1n)).toBeUndefined();
  });

  test('keeps the whole recording to fall back to', () => {
    const cache = new Cache<Piece>();
    const whole = piece(0n, 1_000_000n, 1024n);
    cache.put(LANE, whole);
    for (let i = 0n; i < 40n; i++) cache.put(LANE, piece(i * 100n, i * 100n + 50n, 1n));
    expect(cache.best(LANE, 500_000n, 600_000n, 1n)).toBe(whole);
  });
});

/** Answers when told to. */
class SlowClient extends ServerClient {
  readonly asked: Array<WindowQuestion & { signal: AbortSignal; answer: (window: WindowAnswer) => void }> = [];

  override window(question: WindowQuestion, signal: AbortSignal): Promise<WindowAnswer> {
    return new Promise((answer, refuse) => {
      this.asked.push({ ...question, signal, answer });
      signal.addEventListener('abort', () => refuse(new Error('aborted')));
    });
  }
}

describe('loader', () => {
  const setUp = () => {
    const client = new SlowClient();
    const cache = new Cache<Piece>();
    const loader = new Loader(
      fetchCalls(client, new Methods(client)),
      cache,
      () => {},
      (error) => {
        throw error;
      },
    );
    return { client, cache, loader };
  };
  const wanted = (from: bigint, to: bigint, lanes = [LANE]): Wanted => {
    return { from, to, resolution: 1n, duration: 10_000n, lanes };
  };
  const settle = () => new Promise((resolve) => setTimeout(resolve));

  test('asks once, for more than is seen, and keeps the answer', async () => {
    const { client, cache, loader } = setUp();
    loader.want(wanted(1000n, 2000n));
    loader.want(wanted(1100n, 2100n));
    expect(client.asked).toHaveLength(1);
    expect(client.asked[0]).toMatchObject({ from: 499n, to: 2501n, tracks: [0], depths: '0-15' });
    client.asked[0]!.answer({ coarser: false, cut: false, tracks: [{ ...EMPTY, track: 0 }] });
    await settle();
    expect(cache.has(LANE, 1100n, 2100n, 1n)).toBe(true);
    expect(loader.busy).toBe(false);
    loader.want(wanted(1200n, 2200n));
    expect(client.asked).toHaveLength(1);
  });

  test('drops what nobody looks at any more', async () => {
    const { client, loader } = setUp();
    loader.want(wanted(1000n, 2000n));
    loader.want(wanted(7000n, 8000n));
    expect(client.asked.map((question) => question.signal.aborted)).toEqual([true, false]);
    await settle();
    expect(client.asked).toHaveLength(2);
  });

  test('asks for few tracks at a time', () => {
    const { client, loader } = setUp();
    const lanes = Array.from({ length: 100 }, (_, track) => ({ track, depths: '0-15' }));
    loader.want(wanted(0n, 10n, lanes));
    expect(client.asked.map((question) => question.tracks.length)).toEqual([16, 16, 16, 16]);
    expect(client.asked[0]!.tracks[0]).toBe(0);
  });
});
