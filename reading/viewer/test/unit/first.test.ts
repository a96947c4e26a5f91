import { describe, expect, test } from 'vitest';
import { windowEnd, windowOf } from '../../src/base/window';
import type { Process, Recording, Track } from '../../src/data/contract';
import { AS_RECORDED } from '../../src/render/arrange';
import { helpersOf } from '../../src/render/helpers';
import { layout } from '../../src/render/layout';
import { firstPicture } from '../../src/state/first';
import { Past } from '../../src/state/past';

const JAVA = 1;
const KERNEL = 2;
const PID = 4000;

function track(id: number, name: string, kind: Track['kind'], more: Partial<Track> = {}): Track {
  const process = kind === 'scheduled' || kind === 'cpu' ? KERNEL : JAVA;
  const facts = {
    thread: id,
    of: -1,
    counted: 0,
    virtual: false,
    tid: 100 + id,
    javaId: PID,
    calls: 1,
    events: 2,
    lost: 0,
    depth: 1,
    ...more,
  };
  return { id, process, name, kind, begin: 0n, end: 1000n, ...facts };
}

function recording(...tracks: Track[]): Recording {
  const facts = { parentPid: 1, command: 'java', end: 'ended', lost: 0, budget: -1 };
  const processes: Process[] = [
    { ...facts, process: KERNEL, pid: 0, jvm: '' },
    { ...facts, process: JAVA, pid: PID, jvm: 'OpenJDK' },
  ];
  return { name: 'r', duration: 1000n, wallBegin: 0n, processes, tracks, oddities: [] };
}

const PROGRAM = recording(
  track(0, 'CPU 0', 'cpu'),
  track(1, 'main', 'calls', { calls: 10, begin: 600n, end: 800n }),
  track(2, 'pool', 'calls', { calls: 5, counted: 900, begin: 700n, end: 750n }),
  track(3, 'GC', 'jvm'),
  track(4, 'GC Thread#0', 'scheduled'),
  track(5, 'Monitor Deflati', 'scheduled'),
  track(6, 'feeder', 'scheduled'),
  track(7, 'feeder', 'scheduled'),
  track(8, 'main', 'scheduled', { of: 1 }),
  track(9, 'other program', 'scheduled', { javaId: 77 }),
  track(10, 'Notification Thread', 'states'),
);

const names = (shown: ReturnType<typeof layout>) =>
  shown.rows.map((row) => (row.kind === 'track' ? row.track.name : row.kind === 'group' ? row.of : row.kind));

describe('the first picture', () => {
  test('is fitted to what the program did, with a little room', () => {
    const { window } = firstPicture(PROGRAM);
    expect([window.start, windowEnd(window)]).toEqual([596n, 804n]);
  });

  test('is the whole recording if nearly all of it is activity', () => {
    const { window } = firstPicture(recording(track(0, 'main', 'calls', { begin: 20n, end: 990n })));
    expect(window).toEqual(windowOf(0n, 1000n));
  });

  test('is fitted to threads of which the kernel alone tells', () => {
    const { window, busiest } = firstPicture(
      recording(track(0, 'CPU 0', 'cpu'), track(1, 'pigz', 'scheduled', { begin: 500n, end: 600n })),
    );
    expect([window.start, windowEnd(window)]).toEqual([498n, 602n]);
    expect(busiest).toBeUndefined();
  });

  test('is the whole recording if there is nothing but processors', () => {
    expect(firstPicture(recording(track(0, 'core 0', 'cpu', { begin: 500n, end: 600n }))).window).toEqual(
      windowOf(0n, 1000n),
    );
  });

  test('unfolds the thread with the most calls, counted ones as well', () => {
    expect(firstPicture(PROGRAM).busiest).toBe(2);
    expect(firstPicture(recording()).busiest).toBeUndefined();
  });

  test('folds the virtual machine with its threads, and threads without calls, into a row each', () => {
    const { foldedGroups, foldedIdle } = firstPicture(PROGRAM);
    const shown = layout(PROGRAM, new Set(), '', { ...AS_RECORDED, foldedGroups, foldedIdle });
    expect(names(shown)).toEqual([
      'process',
      'jvm',
      'main',
      'pool',
      'idle',
      'process',
      'cpu',
      'CPU 0',
      'other program',
    ]);
  });
});

describe('helper threads', () => {
  test('are known by name, or by having no call; those of other programs are none', () => {
    expect([...helpersOf(PROGRAM)].map(([id, helper]) => `${id} ${helper.of} ${helper.process}`)).toEqual([
      '4 jvm 1',
      '5 jvm 1',
      '10 jvm 1',
      '6 idle 1',
      '7 idle 1',
    ]);
  });

  test('unfold below what the virtual machine did, and below the other threads', () => {
    expect(names(layout(PROGRAM, new Set(), '')).slice(1, 10)).toEqual([
      'jvm',
      'GC',
      'GC Thread#0',
      'Monitor Deflati',
      'Notification Thread',
      'main',
      'pool',
      'idle',
      'feeder',
    ]);
  });

  test('of which there is one only stay among the others', () => {
    expect(helpersOf(recording(track(0, 'main', 'calls'), track(1, 'Cleaner', 'states'))).size).toBe(0);
  });
});

test('threads of the same name are told apart, others need no number', () => {
  const rows = layout(PROGRAM, new Set(), '').rows.flatMap((row) =>
    row.kind === 'track' && row.namesake ? [row.track.id] : [],
  );
  expect(rows).toEqual([6, 7]);
});

describe('where one has looked before', () => {
  const [a, b, c] = [windowOf(0n, 100n), windowOf(10n, 50n), windowOf(20n, 30n)];

  test('comes back step by step, quick movements as one', () => {
    let now = 0;
    const past = new Past(() => now);
    expect(past.leave(a)).toBe(true);
    now += 100;
    expect(past.leave(b)).toBe(false);
    now += 5000;
    expect(past.leave(c)).toBe(true);
    expect(past.back()).toBe(c);
    expect(past.back()).toBe(a);
    expect(past.back()).toBeUndefined();
  });

  test('after going back, the next movement is a new one', () => {
    const past = new Past(() => 0);
    past.leave(a);
    past.back();
    expect(past.leave(b)).toBe(true);
    expect(past.back()).toBe(b);
  });
});
