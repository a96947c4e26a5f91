import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { EVENT_GROUPS } from '../../src/base/event-groups';
import { OPEN_END } from '../../src/base/flags';
import { type Client, ServerClient, type WindowQuestion } from '../../src/data/client';
import { type Recording, type Scope, type SliceColumns, withTimes } from '../../src/data/contract';
import { entryOf, entryOfHit, hitsIn } from '../../src/data/hit-list';
import { LocalClient } from '../../src/data/local/client';
import { launch, Screen } from './driver';
import { DURATION, methodColour, MS, QUERY } from './known';

/** A recording as the server answers it, and the page with the same recording in it. */
function clients(name: 'REAL' | 'SHOP' | 'WAITING' | 'OWN' | 'KERNEL'): {
  server: Client;
  local: LocalClient;
  raw: (path: string) => Promise<unknown>;
} {
  const [uri, page] = [process.env['KYMO_' + name]!, process.env[`KYMO_${name}_PAGE`]!];
  const packed = /id="recording">([^<]*)</.exec(readFileSync(page, 'utf8'))![1]!;
  const fetch = globalThis.fetch;
  const server = new ServerClient();
  const cookie = fetch(uri).then((entry) => entry.headers.getSetCookie()[0]!.split(';')[0]!);
  const asked = async (path: string, init?: RequestInit) =>
    fetch(new URL(path, uri), { ...init, headers: { ...init?.headers, cookie: await cookie } });
  return {
    server: within(server, asked),
    local: new LocalClient(packed),
    raw: async (path) => {
      for (;;) {
        const answer = await asked('api/' + path);
        if (answer.status !== 202) return JSON.parse(await answer.text(), withTimes) as unknown;
      }
    },
  };
}

/** The client asks for addresses beside the page; here there is none. */
function within(client: ServerClient, fetch: (path: string, init?: RequestInit) => Promise<Response>): Client {
  return new Proxy(client, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== 'function') return method;
      return (...parameters: unknown[]) => {
        globalThis.fetch = fetch as typeof globalThis.fetch;
        return Reflect.apply(method, target, parameters) as unknown;
      };
    },
  });
}

/** Numbers from a seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe.each(['SHOP', 'REAL', 'WAITING', 'OWN', 'KERNEL'] as const)(
  'a page with the recording %s in it answers as the server does',
  (name) => {
    const { server, local, raw } = clients(name);
    const random = randomFrom(20261121);
    let recording: Recording;

    beforeAll(async () => {
      recording = await server.recording();
    });

    function randomSpan(): { from: bigint; to: bigint } {
      const duration = Number(recording.duration);
      const width = Math.floor(duration / 2 ** random(18));
      const from = random(Math.max(1, duration - width));
      return { from: BigInt(from), to: BigInt(from + width) };
    }

    function randomTracks(): number[] {
      return recording.tracks.map((track) => track.id).filter(() => random(3) > 0);
    }

    function randomScope(): Scope {
      return { ...(random(4) > 0 ? randomSpan() : {}), ...(random(2) > 0 ? { tracks: randomTracks() } : {}) };
    }

    test('recording and methods', async () => {
      expect(await local.recording()).toEqual({ ...recording, onDisk: false, origin: 0n });
      const ids = (await local.summary({})).method;
      expect(await local.methods(ids)).toEqual(await server.methods(ids));
    });

    test('windows in which every call is by itself', async () => {
      for (let i = 0; i < 60; i++) {
        const question: WindowQuestion = {
          ...randomSpan(),
          resolution: 0n,
          tracks: randomTracks(),
          depths: '0-3,5-40',
        };
        const [ours, theirs] = await Promise.all([local, server].map((c) => c.window(question, noAbort)));
        if (theirs!.coarser) continue;
        expect(ours).toMatchObject({ coarser: false, cut: false, tracks: theirs!.tracks });
      }
    });

    test('windows with runs: the same calls by themselves, and all others under a run', async () => {
      for (let i = 0; i < 60; i++) {
        const span = randomSpan();
        const resolution = (span.to - span.from) / BigInt(1 + random(2000)) + 1n;
        const question: WindowQuestion = { ...span, resolution, tracks: randomTracks(), depths: '0-40' };
        const [ours, theirs] = await Promise.all([local, server].map((c) => c.window(question, noAbort)));
        ours!.tracks.forEach((mine, k) => {
          const other = theirs!.tracks[k]!;
          expect(long(mine, Number(resolution))).toEqual(long(other, Number(resolution)));
          expect(mine.gaps).toEqual(other.gaps);
          expect(mine.counts).toEqual(other.counts);
          const runs = [...mine.begin.keys()].filter((s) => mine.calls[s]! > 1);
          expect(runs.every((s) => mine.end[s]! - mine.begin[s]! <= 32 * Number(resolution))).toBe(true);
        });
        const inside = await local.window({ ...question, resolution: 0n });
        if (!inside.coarser) expect(ours!.tracks.map(calls)).toEqual(inside.tracks.map(calls));
      }
    });

    test('calls', async () => {
      for (let i = 0; i < 60; i++) {
        const track = random(recording.tracks.length);
        const depth = random(6);
        const { from } = randomSpan();
        expect(await local.call(track, depth, from)).toEqual(await server.call(track, depth, from));
      }
    });

    test('summaries', async () => {
      for (let i = 0; i < 40; i++) {
        const scope = randomScope();
        // What was counted is spread evenly between two readings by both, but not rounded in the same way.
        if (scope.from !== undefined && recording.tracks.some((track) => track.counted > 0)) continue;
        const expected = {
          ...(await server.summary(scope)),
          selfTime: null,
          correctedTotal: null,
          correctedSelf: null,
          error: null,
        };
        expect(await local.summary(scope), text(scope)).toEqual(expected);
      }
    });

    test('counted calls', async () => {
      expect(await local.counted({})).toEqual(await server.counted({}));
      for (let i = 0; i < 40; i++) {
        const scope = randomScope();
        const [ours, theirs] = [await local.counted(scope), await server.counted(scope)];
        expect(Math.abs(ours.calls - theirs.calls), text(scope)).toBeLessThan(20);
        expect(new Set(ours.method), text(scope)).toEqual(new Set(theirs.method));
      }
    });

    test('steps, and arrows', async () => {
      expect(await local.steps()).toEqual(await server.steps());
      for (let i = 0; i < 40; i++) {
        const kinds = i % 3 === 0 ? { kinds: ['lock', 'park', 'join'] } : {};
        // All of them, because either one of equally long waits may be left out.
        const question = { ...randomSpan(), max: 1000, ...kinds };
        const [ours, theirs] = [await local.arrows(question), await server.arrows(question)];
        expect(ours.waited.toSorted(), text(question)).toEqual(theirs.waited.toSorted());
        if (!ours.more) expect(ours).toEqual(theirs);
      }
      const few = { from: 0n, to: recording.duration, max: 5 };
      expect(await local.arrows(few)).toEqual(await server.arrows(few));
    });

    test('what is asked about one kind of tracks', async () => {
      for (const kind of ['calls', 'states', 'jvm'] as const) {
        expect(await local.tree({ kind }, false)).toEqual(await server.tree({ kind }, false));
        expect((await local.summary({ kind })).calls).toEqual((await server.summary({ kind })).calls);
      }
    });

    test('trees, from callers down and from methods up', async () => {
      for (let i = 0; i < 40; i++) {
        const scope = randomScope();
        const up = i % 2 === 1;
        expect(await local.tree(scope, up), text(scope)).toEqual(await server.tree(scope, up));
      }
    });

    test('callers and callees of methods', async () => {
      const { method } = await local.summary({});
      for (const id of method) {
        const scope = randomScope();
        expect(await local.butterfly(scope, id), text(scope)).toEqual(await server.butterfly(scope, id));
      }
    });

    test('what counters were', async () => {
      for (let i = 0; i < 40; i++) {
        const scope = i === 0 ? {} : randomScope();
        expect(await local.counters(scope), text(scope)).toEqual(await server.counters(scope));
      }
    });

    test('how long calls took when', async () => {
      const { method } = await local.summary({});
      for (const id of method) {
        const [scope, columns] = [randomScope(), 1 + random(300)];
        expect(await local.latencies(scope, id, columns), text(scope)).toEqual(
          await server.latencies(scope, id, columns),
        );
      }
    });

    test('durations', async () => {
      const { method } = await local.summary({});
      for (const id of method) {
        const scope = randomScope();
        expect(await local.durations(scope, id), text(scope)).toEqual(await server.durations(scope, id));
      }
    });

    test('lists of events, forward and back', async () => {
      for (let i = 0; i < 150; i++) {
        const scope = randomScope();
        const groups = random(2) === 0 ? { groups: EVENT_GROUPS.filter(() => random(3) === 0).concat('wakes') } : {};
        const pattern =
          random(3) === 0
            ? { pattern: ['o', 'Db|tick', 'm1', '^disk', 'nothing', 'Q', 'run', 'block'][random(8)]! }
            : {};
        const question = { at: randomSpan().from, count: 1 + random(300), back: i % 2 === 1, ...groups, ...pattern };
        expect(await local.events(scope, question), text(scope) + JSON.stringify({ ...groups, ...pattern })).toEqual(
          await server.events(scope, question),
        );
      }
    });

    test('the overview, and searches', async () => {
      expect(await local.overview()).toEqual(await raw('overview'));
      for (const pattern of ['m1', 'M', 'o', 'p2\\.m[3-5]', 'Db|tick', '.', 'nothing', '^org\\.']) {
        expect(await local.search(pattern)).toEqual(await raw('search?pattern=' + encodeURIComponent(pattern)));
      }
      await expect(local.search('(')).rejects.toThrow('Not a regular expression');
    });

    test('the next, the previous and the longest call', async () => {
      for (let i = 0; i < 90; i++) {
        const direction = (['next', 'previous', 'longest'] as const)[i % 3]!;
        const of = i % 2 === 0 ? { method: random(6) } : { pattern: 'm[1-3]|query|tick|disk|got' };
        const { time, track, depth } = {
          time: randomSpan().from,
          track: random(recording.tracks.length),
          depth: random(4),
        };
        const from = random(2) === 0 ? { time } : { time, track, depth };
        const tracks = randomTracks();
        const place = 'track' in from ? `&track=${track}&depth=${depth}` : '';
        const question = 'method' in of ? `method=${of.method}` : `pattern=${encodeURIComponent(of.pattern)}`;
        const answer = await raw(
          `find?${question}&direction=${direction}&time=${time}${place}&tracks=${tracks.join()}`,
        );
        expect(await local.find({ of, direction, from, tracks })).toEqual(answer);
      }
    });

    test('what was found, page by page, and which one it is', async () => {
      for (const pattern of ['m1', 'o', 'Db|tick|got', '.', 'nothing']) {
        const answer = await local.search(pattern);
        const total = hitsIn(answer);
        for (let i = 0; i < 6; i++) {
          const first = random(total + 1);
          const { at, before } = entryOfHit(answer, first);
          const question = { pattern, at, skip: first - before, count: 1 + random(50) };
          const page = await local.hits(question);
          expect(await server.hits(question), JSON.stringify([pattern, first])).toEqual(page);
          expect(page.track.length).toBe(Math.min(question.count, total - first));
          for (let k = 0; k < page.track.length; k += 7) {
            const place = { track: page.track[k]!, depth: page.depth[k]!, time: BigInt(page.begin[k]!) };
            const entry = entryOf(answer, place.time);
            const rank = await local.rank({ pattern, at: entry.at, place });
            expect(await server.rank({ pattern, at: entry.at, place })).toEqual(rank);
            expect(rank.hit).toBe(true);
            const same = (j: number) =>
              page.begin[j] === page.begin[k] && page.track[j] === place.track && page.depth[j] === place.depth;
            if (k === 0 || !same(k - 1)) expect(entry.before + rank.before).toBeLessThanOrEqual(first + k);
            if (k > 0 && !same(k - 1)) expect(entry.before + rank.before).toBe(first + k);
          }
        }
      }
      expect(await local.rank({ pattern: 'nothing', at: 0n, place: { track: 0, depth: 0, time: 0n } })).toEqual({
        before: 0,
        hit: false,
      });
    });

    test('events of the program’s own: marks, curves, messages, and what they tell', async () => {
      for (let i = 0; i < 60; i++) {
        const { from, to } = randomSpan();
        const tracks = randomTracks();
        const question = { from, to, resolution: [0n, 1000n, 1_000_000n, 7_000_000n][i % 4]!, tracks };
        expect(await local.own(question), JSON.stringify(tracks) + from).toEqual(await server.own(question));
        const list = { track: tracks[0] ?? 0, from, to, max: 1 + random(100) };
        expect(await local.ownList(list)).toEqual(await server.ownList(list));
        const arrows = { from, to, max: 1000, kinds: ['message'] };
        expect(await local.arrows(arrows)).toEqual(await server.arrows(arrows));
      }
    });
  },
);

const noAbort = new AbortController().signal;

function text(scope: Scope): string {
  return `from=${scope.from} to=${scope.to} tracks=${scope.tracks?.join()}`;
}

/** The slices that must be drawn by themselves. */
function long(slices: SliceColumns, resolution: number): string[] {
  return [...slices.begin.keys()]
    .filter((i) => slices.calls[i] === 1)
    .filter((i) => slices.end[i]! - slices.begin[i]! >= resolution || (slices.flags[i]! & OPEN_END) !== 0)
    .map((i) => [slices.depth[i], slices.begin[i], slices.end[i], slices.method[i], slices.flags[i]].join());
}

function calls(slices: SliceColumns): number {
  return slices.calls.reduce((sum, count) => sum + count, 0);
}

describe('a page opened from disk', () => {
  let browser: Browser;
  let screen: Screen;

  beforeAll(async () => {
    browser = await launch();
    screen = await Screen.open(browser, 'file://' + process.env['KYMO_SHOP_PAGE']);
  });
  afterAll(async () => {
    expect(screen.problems).toEqual([]);
    await browser.close();
  });

  test('draws known calls where they belong', async () => {
    expect(await screen.page.title()).toBe('shop.kymo – Kymo');
    await screen.go('open=0');
    const middle = await screen.xOf(650n * MS, 0n, DURATION);
    expect(await screen.colour(middle, await screen.bandY(0, 2))).toEqual(methodColour(...QUERY, 'light'));
    await screen.click(middle, await screen.bandY(0, 2));
    await screen.page.waitForSelector('.details h2:has-text("org.base.Db.query")');
    expect(await screen.text('.details')).toMatch(/Duration\s+100 ms/);
  });

  test('shows its tables', async () => {
    await screen.key('Escape');
    await screen.page.locator('.tables-button').click();
    await screen.page.waitForSelector('.panel :text("Main.main")');
    expect(await screen.text('.panel')).toMatch(/Clock\.tick[^]*1 001/);
  });

  test('finds calls by their names', async () => {
    await screen.go('search=query');
    await screen.page.waitForSelector('.search-box output:has-text("2 calls of 1 method")');
    await screen.page.locator('.search-box button:has-text("longest")').click();
    await screen.page.waitForSelector('.details h2:has-text("Db.query")');
    expect(await screen.text('.details')).toMatch(/Duration\s+600 ms/);
  });

  test('keeps bookmarks when it is closed', async () => {
    await screen.page.locator('.details h2').click();
    await screen.page.keyboard.press('b');
    await screen.page.waitForSelector('button.flag');
    await expect.poll(() => screen.page.evaluate(() => Object.keys(localStorage).join())).toContain('bookmarks');
    await screen.page.reload();
    await screen.page.waitForSelector('button.flag');
  });

  test('takes names for text, never for markup', async () => {
    expect(await screen.page.locator('.track img').count()).toBe(0);
    expect(await screen.page.title()).toBe('shop.kymo – Kymo');
  });

  test('asks nobody for anything', async () => {
    const asked: string[] = [];
    screen.page.on('request', (request) => asked.push(request.url()));
    await screen.page.reload();
    await screen.settle();
    await screen.key('w', 'w', 'd');
    expect(asked.filter((url) => !url.startsWith('data:')).map((url) => url.replace(/.*\//, ''))).toEqual([
      'shop.html',
    ]);
  });
});
