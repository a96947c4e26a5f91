import { describe, expect, test } from 'vitest';
import { windowOf } from '../../src/base/window';
import { Coupling } from '../../src/compare/coupling';
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

describe('messages between pages', () => {
  const event = (data: unknown, origin = 'http://127.0.0.1:1') => ({ data, origin }) as MessageEvent;
  const read = (data: unknown, origin?: string) => readMessage(event(data, origin), 'http://127.0.0.1:1');

  test('keep a window to the nanosecond', () => {
    const window = { start: 9_007_199_254_740_993n, part: 0.5, span: 12.25 };
    expect(read(written(window))).toEqual(window);
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
