import type {
  ArrowsAnswer,
  BookmarksAnswer,
  ButterflyAnswer,
  Call,
  CountedAnswer,
  CountersAnswer,
  GrowthAnswer,
  DurationsAnswer,
  EventsAnswer,
  Found,
  HitsAnswer,
  LatenciesAnswer,
  MethodAnswer,
  OverviewAnswer,
  OwnAnswer,
  OwnListAnswer,
  LocksAnswer,
  PathAnswer,
  PointsAnswer,
  QueryAnswer,
  QueryHelp,
  ThreadsAnswer,
  RankAnswer,
  Recording,
  SamplesAnswer,
  Scope,
  SearchAnswer,
  StepsAnswer,
  SummaryAnswer,
  TreeAnswer,
  Why,
  WindowAnswer,
} from './contract';
import { type StatisticsKind, statisticsPath, type StatisticsQuestions } from './statistics';
import { withTimes } from './contract';
import type { EventGroup } from '../base/event-groups';
import { harmless } from '../base/harmless';
import type { Nanos } from '../base/time';

/** The server refused to answer; the message is its sentence. */
export class RefusedError extends Error {}

/** No answer at all. */
export class LostError extends Error {}

export interface WindowQuestion {
  readonly from: Nanos;
  readonly to: Nanos;
  readonly resolution: Nanos;
  readonly tracks: readonly number[];
  /** Ranges such as `0-15,40`. */
  readonly depths: string;
}

/** Asks which events of the program's own to draw. */
export type OwnQuestion = Omit<WindowQuestion, 'depths'>;

/** Asks for the first ones between two times, with their data. */
export interface OwnListQuestion {
  readonly track: number;
  readonly from: Nanos;
  readonly to: Nanos;
  readonly max: number;
}

/** A stretch of a thread. */
export interface PathQuestion {
  readonly track: number;
  readonly from: Nanos;
  readonly to: Nanos;
}

/** Which of the irregular points of a selection are wanted. */
export interface PointsQuestion {
  readonly first: number;
  readonly count: number;
  /** Asks how many are before a time. */
  readonly at?: Nanos;
  /** If missing, all. */
  readonly kinds?: readonly number[];
  /** Names of functions in which interrupts are points, with blanks between them. */
  readonly critical: string;
}

/** Where in a list of events to begin, and in which direction. */
export interface EventsQuestion extends EventsChoice {
  readonly at: Nanos;
  readonly count: number;
  readonly back: boolean;
}

/** Which events a list contains; a missing member does not limit it. */
export interface EventsChoice {
  readonly groups?: readonly EventGroup[];
  /** A regular expression for the names of methods, states and kinds of events. */
  readonly pattern?: string;
}

/** The depth of an event of the program's own: deeper than all calls that begin at its time. */
export const EVENT_DEPTH = 2 ** 31 - 1;

/** Which call to find: of one method, or of those whose names match a pattern. */
export interface FindQuestion {
  readonly of: { readonly method: number } | { readonly pattern: string };
  readonly direction: 'next' | 'previous' | 'longest';
  /** Where to begin: a call, a time alone, or an event: at `EVENT_DEPTH`. */
  readonly from?: { readonly track?: number; readonly depth?: number; readonly time: Nanos };
  readonly tracks?: readonly number[];
}

/** Which samples to sum up, and how. */
export interface SamplesQuestion {
  readonly kinds: readonly string[];
  /** What they are weighed by; empty: each counts one. */
  readonly unit: string;
  /** From the methods to their callers. */
  readonly up: boolean;
}

/**
 * Asks for a page of the matches of a pattern: of those that begin at or after a time, the ones after the first `skip`.
 */
export interface HitsQuestion {
  readonly pattern: string;
  readonly at: Nanos;
  readonly skip: number;
  readonly count: number;
}

/** Asks how many matches that begin at or after a time come before a place. */
export interface RankQuestion {
  readonly pattern: string;
  readonly at: Nanos;
  readonly place: { readonly track: number; readonly depth: number; readonly time: Nanos };
}

/** Asks for the arrows of the longest waits that end in the window. */
export interface ArrowsQuestion {
  readonly from: Nanos;
  readonly to: Nanos;
  readonly max: number;
  /** Kinds of waiting; if missing, all. */
  readonly kinds?: readonly string[];
}

/** How to wait for an answer that takes time. */
export interface Waiting {
  readonly signal?: AbortSignal;
  /** Called with the share that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** Answers the page's questions about a recording; docs/design/server.md says what the answers mean. */
export interface Client {
  recording(): Promise<Recording>;
  window(question: WindowQuestion, signal: AbortSignal): Promise<WindowAnswer>;
  methods(ids: readonly number[]): Promise<readonly MethodAnswer[]>;
  call(track: number, depth: number, time: Nanos): Promise<Call | undefined>;
  arrows(question: ArrowsQuestion): Promise<ArrowsAnswer>;
  /** The events of the program's own in a window. */
  own(question: OwnQuestion, waiting?: Waiting): Promise<OwnAnswer>;
  ownList(question: OwnListQuestion, waiting?: Waiting): Promise<OwnListAnswer>;
  /** Where a call's time went; undefined if that cannot be answered here. */
  why(track: number, depth: number, time: Nanos, waiting?: Waiting): Promise<Why | undefined>;
  /** What threads did, and why they did not run; undefined if that cannot be answered here. */
  threads(scope: Scope, waiting?: Waiting): Promise<ThreadsAnswer | undefined>;
  /** What happened to locks; undefined if that cannot be answered here. */
  locks(scope: Scope, waiting?: Waiting): Promise<LocksAnswer | undefined>;
  /** The critical path to the end of a stretch of a thread; undefined if that cannot be answered here. */
  path(question: PathQuestion, waiting?: Waiting): Promise<PathAnswer | undefined>;
  /** Where executed instructions are irregular; undefined if that cannot be answered here. */
  points(scope: Scope, question: PointsQuestion, waiting?: Waiting): Promise<PointsAnswer | undefined>;
  /** The answer to a question in SQL; undefined if that cannot be answered here. */
  query(sql: string, scope: Scope, waiting?: Waiting): Promise<QueryAnswer | undefined>;
  queryHelp(waiting?: Waiting): Promise<QueryHelp | undefined>;
  steps(): Promise<StepsAnswer>;
  summary(scope: Scope, waiting?: Waiting): Promise<SummaryAnswer>;
  counted(scope: Scope, waiting?: Waiting): Promise<CountedAnswer>;
  /** Who called whom; `up`: from the methods to their callers. */
  tree(scope: Scope, up: boolean, waiting?: Waiting): Promise<TreeAnswer>;
  /** Who called whom in samples; only where `Recording.samples` says that there are any. */
  samples(scope: Scope, question: SamplesQuestion, waiting?: Waiting): Promise<SamplesAnswer>;
  butterfly(scope: Scope, method: number, waiting?: Waiting): Promise<ButterflyAnswer>;
  durations(scope: Scope, method: number, waiting?: Waiting): Promise<DurationsAnswer>;
  /** Statistics of the program's own counters. */
  counters(scope: Scope, waiting?: Waiting): Promise<CountersAnswer>;
  latencies(scope: Scope, method: number, columns: number, waiting?: Waiting): Promise<LatenciesAnswer>;
  /** Statistics, matrices and shares; undefined if that cannot be answered here. */
  statistics<K extends StatisticsKind>(
    kind: K,
    question: StatisticsQuestions[K]['question'],
    scope: Scope,
    waiting?: Waiting,
  ): Promise<StatisticsQuestions[K]['answer'] | undefined>;
  events(scope: Scope, question: EventsQuestion, waiting?: Waiting): Promise<EventsAnswer>;
  overview(waiting?: Waiting): Promise<OverviewAnswer>;
  /** Methods whose full names match a regular expression, and when they are called. */
  search(pattern: string, waiting?: Waiting): Promise<SearchAnswer>;
  find(question: FindQuestion, waiting?: Waiting): Promise<Found>;
  /** A part of the recording as a file: a zipped recording or a page. */
  part(form: 'slice' | 'page', scope: Scope, waiting?: Waiting): Promise<Blob>;
  hits(question: HitsQuestion, waiting?: Waiting): Promise<HitsAnswer>;
  rank(question: RankQuestion, waiting?: Waiting): Promise<RankAnswer>;
  growth(): Promise<GrowthAnswer>;
  bookmarks(): Promise<BookmarksAnswer>;
  /** Replaces the bookmarks if `version` is still current; the answer is what is stored now, in either case. */
  saveBookmarks(bookmarks: BookmarksAnswer): Promise<{ readonly saved: boolean; readonly present: BookmarksAnswer }>;
}

/** Time between two requests for an answer; the server waits for it as well. */
const AGAIN_MS = 60;

/** Asks the server. */
export class ServerClient implements Client {
  recording(): Promise<Recording> {
    return ask<Recording>('api/recording');
  }

  window(question: WindowQuestion, signal: AbortSignal): Promise<WindowAnswer> {
    const { from, to, resolution, tracks, depths } = question;
    const query = `from=${from}&to=${to}&resolution=${resolution}&tracks=${tracks.join()}&depth=${depths}`;
    return ask<WindowAnswer>(`api/window?${query}`, signal);
  }

  async methods(ids: readonly number[]): Promise<readonly MethodAnswer[]> {
    const answers: MethodAnswer[] = [];
    for (let i = 0; i < ids.length; i += 1000) {
      const part = ids.slice(i, i + 1000).join();
      answers.push(...(await ask<{ methods: MethodAnswer[] }>(`api/methods?ids=${part}`)).methods);
    }
    return answers;
  }

  async call(track: number, depth: number, time: Nanos): Promise<Call | undefined> {
    const query = `track=${track}&depth=${depth}&time=${time}`;
    return (await ask<{ call: Call | null }>(`api/call?${query}`)).call ?? undefined;
  }

  arrows({ from, to, max, kinds }: ArrowsQuestion): Promise<ArrowsAnswer> {
    return ask<ArrowsAnswer>(`api/arrows?from=${from}&to=${to}&max=${max}${kinds ? `&kinds=${kinds.join()}` : ''}`);
  }

  own({ from, to, resolution, tracks }: OwnQuestion, waiting: Waiting = {}): Promise<OwnAnswer> {
    return askLong<OwnAnswer>(
      `api/own?from=${from}&to=${to}&resolution=${resolution}&tracks=${tracks.join()}`,
      waiting,
    );
  }

  ownList({ track, from, to, max }: OwnListQuestion, waiting: Waiting = {}): Promise<OwnListAnswer> {
    return askLong<OwnListAnswer>(`api/own-list?track=${track}&from=${from}&to=${to}&max=${max}`, waiting);
  }

  async why(track: number, depth: number, time: Nanos, waiting: Waiting = {}): Promise<Why | undefined> {
    const query = `track=${track}&depth=${depth}&time=${time}`;
    return (await askLong<{ why: Why | null }>(`api/why?${query}`, waiting)).why ?? undefined;
  }

  threads(scope: Scope, waiting: Waiting = {}): Promise<ThreadsAnswer | undefined> {
    return askLong<ThreadsAnswer>(`api/threads?${scopeQuery(scope)}`, waiting);
  }

  locks(scope: Scope, waiting: Waiting = {}): Promise<LocksAnswer | undefined> {
    return askLong<LocksAnswer>(`api/locks?${scopeQuery(scope)}`, waiting);
  }

  path({ track, from, to }: PathQuestion, waiting: Waiting = {}): Promise<PathAnswer | undefined> {
    return askLong<PathAnswer>(`api/path?track=${track}&from=${from}&to=${to}`, waiting);
  }

  points(scope: Scope, question: PointsQuestion, waiting: Waiting = {}): Promise<PointsAnswer | undefined> {
    const { first, count, at, kinds, critical } = question;
    const parts = [`first=${first}`, `count=${count}`];
    if (at !== undefined) parts.push(`at=${at}`);
    if (kinds) parts.push(`kinds=${kinds.join()}`);
    if (critical !== '') parts.push(`critical=${encodeURIComponent(critical)}`);
    return askLong<PointsAnswer>(`api/points?${parts.join('&')}&${scopeQuery(scope)}`, waiting);
  }

  query(sql: string, { from, to }: Scope, waiting: Waiting = {}): Promise<QueryAnswer | undefined> {
    const part = from === undefined || to === undefined ? '' : `&from=${from}&to=${to}`;
    return askLong<QueryAnswer>(`api/query?sql=${encodeURIComponent(sql)}${part}`, waiting);
  }

  queryHelp(waiting: Waiting = {}): Promise<QueryHelp | undefined> {
    return askLong<QueryHelp>('api/questions', waiting);
  }

  steps(): Promise<StepsAnswer> {
    return ask<StepsAnswer>('api/steps');
  }

  counted(scope: Scope, waiting: Waiting = {}): Promise<CountedAnswer> {
    return askLong<CountedAnswer>(`api/counted?${scopeQuery(scope)}`, waiting);
  }

  summary(scope: Scope, waiting: Waiting = {}): Promise<SummaryAnswer> {
    return askLong<SummaryAnswer>(`api/summary?${scopeQuery(scope)}`, waiting);
  }

  tree(scope: Scope, up: boolean, waiting: Waiting = {}): Promise<TreeAnswer> {
    return askLong<TreeAnswer>(`api/tree?up=${up}&${scopeQuery(scope)}`, waiting);
  }

  samples(scope: Scope, { kinds, unit, up }: SamplesQuestion, waiting: Waiting = {}): Promise<SamplesAnswer> {
    const which = `kinds=${encodeURIComponent(kinds.join('\n'))}&unit=${encodeURIComponent(unit)}`;
    return askLong<SamplesAnswer>(`api/samples?up=${up}&${which}&${scopeQuery(scope)}`, waiting);
  }

  butterfly(scope: Scope, method: number, waiting: Waiting = {}): Promise<ButterflyAnswer> {
    return askLong<ButterflyAnswer>(`api/butterfly?method=${method}&${scopeQuery(scope)}`, waiting);
  }

  durations(scope: Scope, method: number, waiting: Waiting = {}): Promise<DurationsAnswer> {
    return askLong<DurationsAnswer>(`api/durations?method=${method}&${scopeQuery(scope)}`, waiting);
  }

  counters(scope: Scope, waiting: Waiting = {}): Promise<CountersAnswer> {
    return askLong<CountersAnswer>(`api/counters?${scopeQuery(scope)}`, waiting);
  }

  latencies(scope: Scope, method: number, columns: number, waiting: Waiting = {}): Promise<LatenciesAnswer> {
    return askLong<LatenciesAnswer>(`api/latencies?method=${method}&columns=${columns}&${scopeQuery(scope)}`, waiting);
  }

  statistics<K extends StatisticsKind>(
    kind: K,
    question: StatisticsQuestions[K]['question'],
    scope: Scope,
    waiting: Waiting = {},
  ): Promise<StatisticsQuestions[K]['answer'] | undefined> {
    return askLong<StatisticsQuestions[K]['answer']>(`${statisticsPath(kind, question)}&${scopeQuery(scope)}`, waiting);
  }

  events(scope: Scope, question: EventsQuestion, waiting: Waiting = {}): Promise<EventsAnswer> {
    const { at, count, back, groups, pattern } = question;
    const parts = [`at=${at}`, `count=${count}`, `back=${back}`];
    if (groups) parts.push(`groups=${groups.join()}`);
    if (pattern !== undefined) parts.push(`pattern=${encodeURIComponent(pattern)}`);
    return askLong<EventsAnswer>(`api/events?${parts.join('&')}&${scopeQuery(scope)}`, waiting);
  }

  overview(waiting: Waiting = {}): Promise<OverviewAnswer> {
    return askLong<OverviewAnswer>('api/overview', waiting);
  }

  search(pattern: string, waiting: Waiting = {}): Promise<SearchAnswer> {
    return askLong<SearchAnswer>(`api/search?pattern=${encodeURIComponent(pattern)}`, waiting);
  }

  find(question: FindQuestion, waiting: Waiting = {}): Promise<Found> {
    const { of, direction, from, tracks } = question;
    const parts = ['pattern' in of ? `pattern=${encodeURIComponent(of.pattern)}` : `method=${of.method}`];
    parts.push(`direction=${direction}`);
    if (from?.track !== undefined) parts.push(`track=${from.track}`, `depth=${from.depth}`);
    if (from) parts.push(`time=${from.time}`);
    if (tracks) parts.push(`tracks=${tracks.join()}`);
    return askLong<Found>(`api/find?${parts.join('&')}`, waiting, withTimes);
  }

  async part(form: 'slice' | 'page', scope: Scope, { signal, onProgress }: Waiting = {}): Promise<Blob> {
    for (;;) {
      const answer = await fetched(`api/${form}?${scopeQuery(scope)}`, signal);
      if (answer.status === 200) return answer.blob();
      const text = harmless(await answer.text());
      if (answer.status !== 202) throw new RefusedError(sentence(text));
      onProgress?.((JSON.parse(text) as { progress: number }).progress);
      await new Promise((done) => setTimeout(done, AGAIN_MS));
      signal?.throwIfAborted();
    }
  }

  hits({ pattern, at, skip, count }: HitsQuestion, waiting: Waiting = {}): Promise<HitsAnswer> {
    return askLong<HitsAnswer>(
      `api/hits?pattern=${encodeURIComponent(pattern)}&at=${at}&skip=${skip}&count=${count}`,
      waiting,
    );
  }

  rank({ pattern, at, place }: RankQuestion, waiting: Waiting = {}): Promise<RankAnswer> {
    const { track, depth, time } = place;
    return askLong<RankAnswer>(
      `api/rank?pattern=${encodeURIComponent(pattern)}&at=${at}&track=${track}&depth=${depth}&time=${time}`,
      waiting,
    );
  }

  growth(): Promise<GrowthAnswer> {
    return ask<GrowthAnswer>('api/growth');
  }

  bookmarks(): Promise<BookmarksAnswer> {
    return ask<BookmarksAnswer>('api/bookmarks');
  }

  async saveBookmarks({ version, bookmarks }: BookmarksAnswer): Promise<{ saved: boolean; present: BookmarksAnswer }> {
    const body = JSON.stringify({ version, bookmarks }, (_, value) =>
      typeof value === 'bigint' ? String(value) : (value as unknown),
    );
    const { status, text } = await get('api/bookmarks', undefined, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    if (status !== 200 && status !== 409) throw new RefusedError(sentence(text));
    return { saved: status === 200, present: JSON.parse(text, withTimes) as BookmarksAnswer };
  }
}

function scopeQuery({ from, to, tracks, kind }: Scope): string {
  const parts: string[] = [];
  if (from !== undefined && to !== undefined) parts.push(`from=${from}`, `to=${to}`);
  if (tracks) parts.push(`tracks=${tracks.join()}`);
  else if (kind) parts.push(`kind=${kind}`);
  return parts.join('&');
}

/** Asks until the answer is there: 202 reports the progress. */
async function askLong<T>(path: string, { signal, onProgress }: Waiting, revive?: typeof withTimes): Promise<T> {
  for (;;) {
    const { status, text } = await get(path.replace(/[?&]$/, ''), signal);
    if (status === 200) return JSON.parse(text, revive) as T;
    if (status !== 202) throw new RefusedError(sentence(text));
    onProgress?.((JSON.parse(text) as { progress: number }).progress);
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    signal?.throwIfAborted();
  }
}

async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const { status, text } = await get(path, signal);
  if (status === 200) return JSON.parse(text, path.startsWith('api/window') ? undefined : withTimes) as T;
  throw new RefusedError(sentence(text));
}

async function get(
  path: string,
  signal?: AbortSignal,
  more: RequestInit = {},
): Promise<{ status: number; text: string }> {
  const answer = await fetched(path, signal, more);
  try {
    return { status: answer.status, text: harmless(await answer.text()) };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new LostError('The server does not answer.');
  }
}

async function fetched(path: string, signal?: AbortSignal, more: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(path, { cache: 'no-store', ...(signal ? { signal } : {}), ...more });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new LostError('The server does not answer.');
  }
}

function sentence(text: string): string {
  try {
    return (JSON.parse(text) as { error: string }).error;
  } catch {
    return 'The server refused to answer.';
  }
}
