import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../src/base/address';
import { statisticsKey, statisticsPath } from '../../src/data/statistics';
import { type ChartScene, columnAt, highest, layerAt } from '../../src/render/charts';
import { cellSize, matrixCellAt, type MatrixScene } from '../../src/render/matrix';
import { PALETTES } from '../../src/render/palette';
import { ShownStatistics } from '../../src/state/shown-statistics';
import { columnTimes } from '../../src/views/tables/statistics-parts';

test('questions as the server takes them', () => {
  expect(statisticsPath('statistics', { of: 'calls', by: 'none', columns: 100 })).toBe(
    'api/statistics?of=calls&by=none&columns=100',
  );
  expect(statisticsPath('heat', { of: 'calls', by: 'core', columns: 9, method: 7, group: -1 })).toBe(
    'api/heat?of=calls&by=core&columns=9&methods=7&group=-1',
  );
  const key = statisticsKey('matrix', { of: 'waits', by: 'thread' }, '1-2 all');
  expect(key).not.toBe(statisticsKey('matrix', { of: 'waits', by: 'core' }, '1-2 all'));
  expect(key).not.toBe(statisticsKey('matrix', { of: 'waits', by: 'thread' }, '1-3 all'));
});

describe('columns over time', () => {
  const layers = [
    { colour: 'red', values: [4, 0, 1] },
    { colour: 'blue', values: [4, 2, 0] },
  ];
  const scene: ChartScene = { layers, most: 8, width: 300, height: 80, current: undefined, select: 'black' };

  test('are as high as the highest sum', () => {
    expect(highest(layers)).toBe(8);
    expect(highest([])).toBe(0);
  });

  test('are found by place', () => {
    expect([0, 99, 100, 299, 300, -1].map((x) => columnAt(3, 300, x))).toEqual([0, 0, 1, 2, undefined, undefined]);
    expect([79, 41, 39, 1].map((y) => layerAt(scene, 0, y))).toEqual([0, 0, 1, 1]);
    // Where the first layer is empty there is the second one; above all there is nothing.
    expect([79, 61, 50].map((y) => layerAt(scene, 1, y))).toEqual([1, 1, undefined]);
  });

  test('have their times', () => {
    const columns = { atLeast: false, from: '100', width: '50', to: '249', columns: 3 };
    expect(columnTimes(columns, 2)).toEqual([200n, 250n]);
  });
});

test('cells of a matrix are found by place', () => {
  const scene: MatrixScene = {
    place: new Map([
      [7, 0],
      [9, 1],
    ]),
    from: [7, 9],
    to: [9, 9],
    value: [1, 2],
    text: String,
    size: 20,
    palette: PALETTES.light,
    current: undefined,
  };
  // A row sends, a column receives.
  expect(matrixCellAt(scene, 30, 10)).toBe(0);
  expect(matrixCellAt(scene, 30, 30)).toBe(1);
  expect(matrixCellAt(scene, 10, 30)).toBeUndefined();
  expect([cellSize(2, 400), cellSize(20, 400), cellSize(1000, 400), cellSize(0, 400)]).toEqual([44, 20, 3, 44]);
});

describe('what is shown', () => {
  const shown = () => new ShownStatistics(() => undefined);
  const EMPTY = { open: [], filter: '' };

  test('is in the address, unless it is as at first', () => {
    const some = shown();
    expect(some.address()).toEqual({});
    some.choose({ subject: 'messages', by: 'core' });
    some.choose({ matrix: 'waits', measure: 'latency' });
    some.choose({ timed: 'kernel', level: 'method' });
    const hash = writeAddress({ ...EMPTY, ...some.address() });
    expect(hash).toBe('statistics=messages,core&matrix=waits,thread,latency&shares=kernel,method');
    const same = shown();
    same.apply(readAddress(hash));
    expect(same.address()).toEqual(some.address());
    same.apply(readAddress('theme=dark'));
    expect(same.address()).toEqual({});
  });

  test('is as at first where the address is wrong', () => {
    const some = shown();
    some.apply(readAddress('statistics=mail,colour&matrix=,,&shares=events,planet'));
    expect(some.address()).toEqual({});
  });
});
