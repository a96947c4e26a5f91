import { describe, expect, test } from 'vitest';
import { readViewerMessage } from '../../src/base/viewer-message';
import { windowOf } from '../../src/base/window';
import { readCompareAddress, writeCompareAddress } from '../../src/compare/address';
import { Coupling, type PlacedCall, together } from '../../src/compare/coupling';
import { type Match, matchText, ordinal, partnerOf } from '../../src/compare/matching';
import { shownOfSides } from '../../src/compare/panel';
import { tiePoints } from '../../src/compare/ties';
import { readMessage, written } from '../../src/base/window-message';

describe('coupled windows', () => {
  test('show the same time until they are moved apart, then keep that distance', () => {
    const coupling = new Coupling(2);
    expect(coupling.moved(0, windowOf(0n, 100n))).toEqual([]);
    expect(coupling.moved(1, windowOf(0n, 300n))).toEqual([]);
    expect(coupling.moved(0, windowOf(50n, 90n))).toEqual([[1, windowOf(50n, 90n)]]);
    coupling.toggle();
    expect(coupling.moved(1, windowOf(80n, 120n))).toEqual([]);
    coupling.toggle();
    expect(coupling.moved(1, windowOf(100n, 120n))).toEqual([[0, windowOf(70n, 90n)]]);
    expect(coupling.moved(0, windowOf(60n, 90n))).toEqual([[1, windowOf(90n, 120n)]]);
  });

  test('of three all follow', () => {
    const coupling = new Coupling(3);
    [0, 1, 2].forEach((i) => coupling.moved(i, windowOf(0n, 100n)));
    expect(coupling.moved(2, windowOf(10n, 30n)).map(([index]) => index)).toEqual([0, 1]);
  });
});

describe('windows from an address', () => {
  test('keep the distance that they have', () => {
    const coupling = new Coupling(2, true);
    expect(coupling.moved(0, windowOf(10n, 20n))).toEqual([]);
    expect(coupling.moved(1, windowOf(110n, 120n))).toEqual([]);
    expect(coupling.moved(0, windowOf(15n, 25n))).toEqual([[1, windowOf(115n, 125n)]]);
  });
});

describe('matched calls', () => {
  const call = (index: number, begin: bigint, duration: bigint, whole: bigint): PlacedCall => ({
    index,
    begin,
    duration,
    whole,
  });

  test('begin at the same place of equally long windows', () => {
    const [[, a], [, b]] = together([
      call(0, 1_000_000n, 40_000n, 9_000_000n),
      call(1, 7_000_000n, 80_000n, 9_000_000n),
    ]) as [[number, ReturnType<typeof windowOf>], [number, ReturnType<typeof windowOf>]];
    expect(a.span).toBe(b.span);
    expect(a.span).toBe(100_020);
    expect(1_000_000n - a.start).toBe(7_000_000n - b.start);
    expect(1_000_000n - a.start).toBe(10_002n);
  });

  test('do so at the edges of their recordings', () => {
    for (const calls of [
      [call(0, 0n, 500n, 1000n), call(1, 700n, 300n, 1000n)],
      [call(0, 990n, 10n, 1000n), call(1, 20n, 900n, 5000n)],
      [call(0, 0n, 1000n, 1000n), call(1, 0n, 5000n, 5000n)],
    ]) {
      const goals = together(calls);
      expect(new Set(goals.map(([i, window]) => calls[i]!.begin - window.start)).size).toBe(1);
      for (const [i, { start, span }] of goals) {
        expect(start).toBeGreaterThanOrEqual(0n);
        expect(start + BigInt(Math.ceil(span))).toBeLessThanOrEqual(calls[i]!.whole);
      }
    }
  });

  test('stay together when one is moved', () => {
    const coupling = new Coupling(2);
    coupling.moved(0, windowOf(0n, 1000n));
    coupling.moved(1, windowOf(0n, 1000n));
    coupling.toggle();
    coupling.align([
      [0, windowOf(100n, 200n)],
      [1, windowOf(600n, 700n)],
    ]);
    expect(coupling.coupled).toBe(true);
    expect(coupling.moved(1, windowOf(610n, 710n))).toEqual([[0, windowOf(110n, 210n)]]);
  });

  test('are said to be what they are', () => {
    const at = (method: string, above: number) => ({ track: 1, depth: 2, begin: '1', duration: '2', method, above });
    const finding = { method: 'a.App.parse' };
    expect(shownOfSides(finding, [at('a.App.parse', 0), at('a.App.parse', 0)])).toBe(
      'Shown in both: the longest App.parse.',
    );
    expect(shownOfSides(finding, [at('a.App.store', 1), at('a.App.flush', 0)])).toBe(
      'Shown in base: no such call, so the longest App.store above it; in new: the longest App.flush.',
    );
    expect(shownOfSides(finding, [null, null])).toBe('Shown in both: nothing to show.');
  });
});

describe('a selected call', () => {
  const call = { track: 1, depth: 2, begin: '3', duration: '4' };
  const match = (part: Partial<Match>): Match => ({
    threads: 'worker-#',
    number: 2,
    count: 40,
    otherNumber: 2,
    otherCount: 38,
    own: call,
    call,
    ...part,
  });

  test('says which of how many it is, and which stands for it', () => {
    expect(matchText(match({}), 'base', 'new')).toBe(
      'base: the 3rd of 40 calls of this path by worker-#; new: the 3rd of 38 calls.',
    );
    expect(matchText(match({ number: 39, otherNumber: 37 }), 'new', 'base')).toBe(
      'new: the 40th of 40 calls of this path by worker-#; base: the 38th of 38 calls, its last.',
    );
    expect(matchText(match({ number: 0, count: 1, otherCount: 0, call: null }), 'base', 'new')).toBe(
      'base: the only call of this path by worker-#; new: none.',
    );
    expect([1, 2, 3, 4, 11, 12, 13, 21, 101, 112, 1000].map(ordinal).join(' ')).toBe(
      '1st 2nd 3rd 4th 11th 12th 13th 21st 101st 112th 1,000th',
    );
  });

  test('is looked for on threads that are called otherwise', () => {
    const role = { name: '', base: 0, new: 0, threadsInBase: 1, threadsInNew: 1, lossy: false };
    const roles = [
      { ...role, inBase: 'main', inNew: 'main' },
      { ...role, inBase: 'worker-#', inNew: 'job-#' },
      { ...role, inBase: null, inNew: 'extra' },
    ];
    expect(partnerOf('worker-#', roles, true)).toBe('job-#');
    expect(partnerOf('job-#', roles, false)).toBe('worker-#');
    expect(['main', 'extra', 'x'].map((name) => partnerOf(name, roles, false))).toEqual(['', '', '']);
  });

  test('is tied from its lower edge to the upper edge of the other', () => {
    const above = { left: 10, right: 20.04, top: 5, bottom: 9 };
    expect(tiePoints(above, { left: 12, right: 40, top: 100, bottom: 110 })).toBe('10,9 20,9 40,100 12,100');
  });
});

describe('the address of several recordings', () => {
  test('brings everything back', () => {
    const address = {
      viewers: ['from=1&to=2&filter=a%26b', ''],
      apart: true,
      differences: true,
      base: 2,
      new: 1,
      chosen: 4,
      wide: 'base' as const,
      coloured: true,
    };
    expect(readCompareAddress('#' + writeCompareAddress(address), 2)).toEqual(address);
  });

  test('leaves out what is wrong', () => {
    const nothing = {
      viewers: ['', ''],
      apart: false,
      differences: false,
      base: 1,
      new: 2,
      wide: 'new',
      coloured: false,
    };
    expect(readCompareAddress('#base=2&new=2&difference=x&wide=7&3=from', 2)).toEqual(nothing);
    expect(readCompareAddress('', 2)).toEqual(nothing);
  });
});

describe('messages between pages', () => {
  const event = (data: unknown, origin = 'http://127.0.0.1:1') => ({ data, origin }) as MessageEvent;
  const read = (data: unknown, origin?: string) => readMessage(event(data, origin), 'http://127.0.0.1:1');

  test('keep a window to the nanosecond', () => {
    const window = { start: 9_007_199_254_740_993n, part: 0.5, span: 12.25 };
    expect(read(written(window))).toEqual(window);
  });

  test('name a call, or an address', () => {
    const heard = (data: unknown, origin?: string) => readViewerMessage(event(data, origin), 'http://127.0.0.1:1');
    const show = { kymo: 'show', track: 3, depth: 2, time: '9007199254740993' };
    const address = { kymo: 'address', hash: '#from=1' };
    expect(heard({ ...show, more: 1 })).toEqual(show);
    expect(heard(address)).toEqual(address);
    const call = { track: 3, depth: 2, time: '5' };
    const at = { left: 1, right: 2, top: 3.5, bottom: 4 };
    for (const good of [
      { kymo: 'selected', call },
      { kymo: 'selected', call: null },
      { kymo: 'drawn', at },
      { kymo: 'drawn', at: null },
      { kymo: 'scrolled', track: 1, pixels: 2.5 },
      { kymo: 'colours', methods: [['a.App.parse', 1]] },
      { kymo: 'colours', methods: null },
    ])
      expect(heard(good)).toEqual(good);
    for (const bad of [
      { kymo: 'selected' },
      { kymo: 'selected', call: { ...call, time: 'x' } },
      { kymo: 'drawn', at: { ...at, left: NaN } },
      { kymo: 'drawn' },
      { kymo: 'colours', methods: [['a.App.parse', 2]] },
    ])
      expect(heard(bad)).toBeUndefined();
    expect(heard(show, 'http://evil.example')).toBeUndefined();
    for (const bad of [
      null,
      { ...show, track: -1 },
      { ...show, depth: 0.5 },
      { ...show, time: 5 },
      { kymo: 'address' },
    ])
      expect(heard(bad)).toBeUndefined();
  });

  test('of foreign pages, or of another kind, are nothing', () => {
    const good = written(windowOf(1n, 100n));
    expect(read(good, 'http://evil.example')).toBeUndefined();
    for (const bad of [
      null,
      'kymo',
      {},
      { ...good, start: '1x' },
      { ...good, part: 1 },
      { ...good, span: 0 },
      { ...good, span: '5' },
      { ...good, kymo: 'x' },
    ]) {
      expect(read(bad)).toBeUndefined();
    }
  });
});
