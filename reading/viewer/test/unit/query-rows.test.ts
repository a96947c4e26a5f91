import { expect, test } from 'vitest';
import { completions } from '../../src/data/complete';
import type { QueryAnswer, QueryHelp, Track } from '../../src/data/contract';
import { histogramOf, meaningOf, placesOf } from '../../src/data/query-rows';

function answer(columns: Record<string, string>, ...rows: QueryAnswer['rows']): QueryAnswer {
  const named = Object.entries(columns).map(([name, type]) => ({ name, type }));
  return { columns: named, rows, more: false, gaps: 0 };
}

function track(id: number, process: number, thread: number, kind: Track['kind'], of = -1): Track {
  return { id, process, thread, kind, of } as Track;
}

test('columns mean what their names and types say', () => {
  const meanings = answer({ begin: 'BIGINT', p90: 'BIGINT', calls: 'BIGINT', x: 'DOUBLE', time: 'VARCHAR' });
  expect(meanings.columns.map(meaningOf)).toEqual(['time', 'duration', 'number', 'number', 'other']);
});

test('rows have places', () => {
  const tracks = [track(0, 1, 1, 'states', 2), track(1, 9, 7, 'scheduled'), track(2, 1, 1, 'calls')];
  const columns = { process: 'INTEGER', thread: 'INTEGER', begin: 'BIGINT', duration: 'BIGINT' };
  const place = placesOf(answer(columns, [1, 1, 100, 50], [9, 7, 5, null], [3, 3, 5, 1], [1, 1, null, 1]), tracks)!;
  expect(place(0)).toEqual({ begin: 100n, end: 150n, track: 2 });
  expect(place(1)).toEqual({ begin: 5n, end: 5n, track: 1 });
  expect(place(2)!.track).toBeUndefined();
  expect(place(3)).toBeUndefined();
});

test('an end counts more than a duration', () => {
  const place = placesOf(answer({ time: 'BIGINT', finish: 'BIGINT', duration: 'BIGINT' }, [10, 30, 99]), []);
  expect(place!(0)).toEqual({ begin: 10n, end: 30n, track: undefined });
});

test('rows without a time have no places', () => {
  expect(placesOf(answer({ name: 'VARCHAR', begin: 'VARCHAR' }, ['a', 'b']), [])).toBeUndefined();
});

test('a histogram has four buckets for a power of two', () => {
  expect(histogramOf([])).toEqual({ bound: [], count: [] });
  const { bound, count } = histogramOf([16, 17, 31, 32]);
  expect(bound).toEqual([16, 19, 23, 27, 32, 38]);
  expect(count).toEqual([2, 0, 0, 1, 1]);
  expect(histogramOf([0, 1]).count.reduce((sum, each) => sum + each)).toBe(2);
});

test('words are completed with tables, then columns of those in the question', () => {
  const help: QueryHelp = {
    questions: [],
    tables: { calls: ['begin', 'call'], waits: ['begin', 'waker'], 'disk.ALLOC': ['size'] },
    functions: [{ call: 'calls_of(pattern)', meaning: '' }],
  };
  const at = (text: string) => completions(help, text, text.length).found;
  expect(at('SELECT * FROM ca')).toEqual(['calls', 'call', 'calls_of(', 'CASE WHEN']);
  expect(at('FROM waits WHERE wa')).toEqual(['waits', 'waker']);
  expect(at('SELECT calls.be')).toEqual(['calls.begin']);
  expect(at('FROM disk.A')).toEqual(['disk.ALLOC']);
  expect(at('FROM c')).toEqual([]);
  expect(at('FROM calls')).toEqual(['calls_of(']);
});
