import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../src/base/address';
import type { Client } from '../../src/data/client';
import type { MethodAnswer, Process, Recording, Track } from '../../src/data/contract';
import { Methods } from '../../src/data/methods';
import { filterOf, namesIn, pidsOf, withPid } from '../../src/render/arrange';
import { EventFilter } from '../../src/state/event-filter';
import type { Model } from '../../src/state/model';

const plain = { process: 0, descriptor: '()V', loader: '', source: '', line: 0 };
const own = (kind: number) => ({ kind, description: '', fields: '', category: '', colour: '' });
const METHODS: readonly MethodAnswer[] = [
  { ...plain, id: 0, type: 'com.shop.Stock', name: 'take' },
  { ...plain, id: 1, type: 'com.db.Db', name: 'query' },
  { ...plain, id: 2, type: 'monitor', name: 'com.shop.Stock', descriptor: '' },
  { ...plain, id: 3, type: 'disk', name: 'READ', event: own(1) },
  { ...plain, id: 4, type: 'disk', name: 'MARK', event: own(0) },
  { ...plain, id: 5, type: 'queue', name: 'LENGTH', event: own(3) },
  { ...plain, id: 6, type: 'bus', name: 'ASK', event: own(4) },
];
const ANY = { tid: 0, javaId: 0, of: -1, lost: 0 };
const TRACKS = [
  { ...ANY, id: 0, process: 0, kind: 'calls', name: 'main', tid: 11, instants: 3, counters: [{}] },
  { ...ANY, id: 1, process: 0, kind: 'states', name: 'main', of: 0 },
  { ...ANY, id: 2, process: 1, kind: 'scheduled', name: 'kworker', javaId: 7 },
  { ...ANY, id: 3, process: 1, kind: 'cpu', name: 'CPU 0' },
] as unknown as readonly Track[];
const PROCESSES = [
  { process: 0, pid: 4711 },
  { process: 1, pid: 0 },
] as unknown as readonly Process[];
const RECORDING = { tracks: TRACKS, processes: PROCESSES, messages: true } as unknown as Recording;

/** A filter in a page that knows the names of the methods. */
async function filter(): Promise<EventFilter> {
  const methods = new Methods({
    methods: async (ids: readonly number[]) => ids.map((id) => METHODS[id]!),
  } as unknown as Client);
  await methods.need(METHODS.map((method) => method.id));
  return new EventFilter({ recording: RECORDING, methods, remember: () => undefined } as unknown as Model);
}

const arrow = (method: number, message: boolean) => ({
  time: 0n,
  from: 0,
  to: 1,
  method,
  waited: 0,
  message,
  takesTime: message,
});

describe('the filter of events', () => {
  test('leaves everything as it is until something is chosen', async () => {
    const all = await filter();
    expect([all.on, all.shown, all.choice, all.address()]).toEqual([false, undefined, {}, {}]);
    expect(all.offered).toEqual(['calls', 'own', 'counters', 'messages', 'waits', 'wakes', 'scheduled', 'cpu']);
  });

  test('takes kinds one by one; without any, all are back', async () => {
    const some = await filter();
    some.toggle('messages');
    some.toggle('waits');
    expect(some.choice).toEqual({ groups: ['messages', 'waits'] });
    expect(some.says).toBe('Messages, Waits');
    const shown = some.shown!;
    expect(shown.slices('calls')!(0)).toBe(false);
    expect([shown.slices('states')!(2), shown.slices('states')!(3)]).toEqual([true, false]);
    expect([3, 4, 5, 6].map((event) => shown.event(event))).toEqual([false, false, false, true]);
    expect([shown.arrow(arrow(6, true)), shown.arrow(arrow(2, false))]).toEqual([true, false]);
    some.toggle('messages');
    some.toggle('waits');
    expect([some.on, some.choice]).toEqual([false, {}]);
  });

  test('has what the program itself began among its own events, not among calls', async () => {
    const some = await filter();
    some.toggle('own');
    const calls = some.shown!.slices('calls')!;
    expect([calls(0), calls(3)]).toEqual([false, true]);
  });

  test('looks for names as the server does', async () => {
    const some = await filter();
    some.setText('shop.stock');
    expect(some.choice).toEqual({ pattern: 'shop\\.stock' });
    const shown = some.shown!;
    expect([0, 1].map((method) => shown.slices('calls')!(method))).toEqual([true, false]);
    expect([shown.slices('states')!(2), shown.arrow(arrow(2, false)), shown.event(4)]).toEqual([true, true, false]);
    // What is not known yet may match.
    expect(shown.slices('calls')!(99)).toBe(true);
    some.setText('/^(disk|bus)\\./');
    expect(some.choice).toEqual({ pattern: '^(disk|bus)\\.' });
    expect([3, 4, 5, 6].map((event) => some.shown!.event(event))).toEqual([true, true, false, true]);
    some.setText('/(/');
    expect([some.wrong, some.on, some.choice, some.shown]).toEqual([true, false, {}, undefined]);
    some.setText('Stock');
    expect(some.clear()).toBe(true);
    expect([some.clear(), some.on]).toEqual([false, false]);
  });

  test('is in the address', async () => {
    const some = await filter();
    some.toggle('own');
    some.toggle('calls');
    some.setText('a&b');
    const hash = writeAddress({ open: [], filter: '', ...some.address() });
    expect(hash).toBe('kinds=calls,own&only=a%26b');
    const other = await filter();
    other.apply(readAddress('#' + hash));
    expect([other.choice, other.text]).toEqual([some.choice, 'a&b']);
    other.apply(readAddress('#kinds=cakes'));
    expect(other.on).toBe(false);
  });
});

describe('the filter of threads', () => {
  const pass = (text: string) => TRACKS.filter(filterOf(text, PROCESSES)).map(({ id }) => id);

  test('knows processes', () => {
    expect([pass('pid:4711'), pass('pid:7'), pass('pid:0'), pass('pid:7 work'), pass('pid:4711 work')]).toEqual([
      [0, 1],
      [2],
      [3],
      [2],
      [],
    ]);
    expect(pidsOf(RECORDING)).toEqual([7, 4711]);
  });

  test('keeps names when the process changes', () => {
    expect([
      withPid('main', '7'),
      withPid('main pid:7', '4711'),
      withPid('pid:7', ''),
      withPid('/ma|in/', '7'),
    ]).toEqual(['main pid:7', 'main pid:4711', '', 'pid:7']);
    expect([namesIn('pid:7'), namesIn('a pid:7 b')]).toEqual(['', 'a b']);
  });
});
