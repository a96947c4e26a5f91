import { RefusedError } from '../client';
import type {
  ArrowsQuestion,
  Client,
  EventsQuestion,
  FindQuestion,
  HitsQuestion,
  OwnListQuestion,
  OwnQuestion,
  RankQuestion,
  WindowQuestion,
} from '../client';
import type {
  ArrowsAnswer,
  BookmarksAnswer,
  ButterflyAnswer,
  Call,
  CountedAnswer,
  CountersAnswer,
  DurationsAnswer,
  EventsAnswer,
  Found,
  GrowthAnswer,
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
} from '../contract';
import { arrows } from './arrows';
import { LocalBookmarks } from './bookmarks';
import { butterfly } from './butterfly';
import { callAt } from './call';
import { counted } from './counted';
import { counters } from './counters';
import { durations } from './durations';
import { events } from './events';
import { find } from './find';
import { latencies } from './latencies';
import { hits, rank } from './hits';
import { own, ownList } from './own';
import { matchingMethods } from './pattern';
import { search } from './search';
import { selected } from './selection';
import { summary } from './summary';
import { tree } from './tree';
import { type LocalRecording, unpack } from './unpack';
import { windowAnswer } from './window';

/** Answers from a recording that is in the page itself, as the server would. */
export class LocalClient implements Client {
  private readonly data: Promise<LocalRecording>;

  /** Takes the text that `kymo slice` has put into the page. */
  constructor(packed: string) {
    this.data = unpack(packed);
  }

  async recording(): Promise<Recording> {
    return (await this.data).recording;
  }

  async window(question: WindowQuestion): Promise<WindowAnswer> {
    return windowAnswer((await this.data).tracks, question);
  }

  async methods(ids: readonly number[]): Promise<readonly MethodAnswer[]> {
    const { methods } = await this.data;
    return ids.map((id) => methods[id]!);
  }

  async call(track: number, depth: number, time: bigint): Promise<Call | undefined> {
    return callAt((await this.data).tracks[track]!, depth, Number(time));
  }

  async arrows(question: ArrowsQuestion): Promise<ArrowsAnswer> {
    return arrows(await this.data, question);
  }

  async own(question: OwnQuestion): Promise<OwnAnswer> {
    const { own: events, recording, methods } = await this.data;
    return own(events, recording.tracks, methods, question);
  }

  async ownList(question: OwnListQuestion): Promise<OwnListAnswer> {
    const { own: events, methods } = await this.data;
    return ownList(events, methods, question);
  }

  /** Not available without a server. */
  async why(): Promise<Why | undefined> {
    return undefined;
  }

  async threads(): Promise<ThreadsAnswer | undefined> {
    return undefined;
  }

  async locks(): Promise<LocksAnswer | undefined> {
    return undefined;
  }

  async path(): Promise<PathAnswer | undefined> {
    return undefined;
  }

  async points(): Promise<PointsAnswer | undefined> {
    return undefined;
  }

  async query(): Promise<QueryAnswer | undefined> {
    return undefined;
  }

  async queryHelp(): Promise<QueryHelp | undefined> {
    return undefined;
  }

  async steps(): Promise<StepsAnswer> {
    return (await this.data).steps;
  }

  async counted(scope: Scope): Promise<CountedAnswer> {
    return counted(selected(await this.data, scope));
  }

  async summary(scope: Scope): Promise<SummaryAnswer> {
    const data = await this.data;
    return summary(data, selected(data, scope));
  }

  async tree(scope: Scope, up: boolean): Promise<TreeAnswer> {
    const data = await this.data;
    return tree(data, selected(data, scope), up);
  }

  /** The page has no stacks. */
  async samples(): Promise<SamplesAnswer> {
    throw new RefusedError('Samples can only be summed up by a server.');
  }

  async butterfly(scope: Scope, method: number): Promise<ButterflyAnswer> {
    const data = await this.data;
    return butterfly(data, selected(data, scope), method);
  }

  async durations(scope: Scope, method: number): Promise<DurationsAnswer> {
    return durations(selected(await this.data, scope), method);
  }

  async counters(scope: Scope): Promise<CountersAnswer> {
    const data = await this.data;
    return counters(
      data.own,
      data.recording.tracks,
      data.methods,
      selected(data, scope),
      Number(data.recording.duration),
    );
  }

  async latencies(scope: Scope, method: number, columns: number): Promise<LatenciesAnswer> {
    const data = await this.data;
    return latencies(selected(data, scope), Number(data.recording.duration), method, columns);
  }

  /** Not available without a server. */
  async statistics(): Promise<undefined> {
    return undefined;
  }

  async events(scope: Scope, question: EventsQuestion): Promise<EventsAnswer> {
    return events(await this.data, scope, question);
  }

  async overview(): Promise<OverviewAnswer> {
    return (await this.data).overview;
  }

  async search(pattern: string): Promise<SearchAnswer> {
    const data = await this.data;
    return search(data, selected(data, {}), pattern);
  }

  async find(question: FindQuestion): Promise<Found> {
    const { of, tracks } = question;
    const data = await this.data;
    const methods = 'pattern' in of ? matchingMethods(data, of.pattern) : new Set([of.method]);
    const selection = selected(data, tracks ? { tracks } : {});
    return find(data, selection, methods, question);
  }

  /** The page is already a part. */
  async part(): Promise<Blob> {
    throw new RefusedError('Parts can only be cut out by a server.');
  }

  async hits(question: HitsQuestion): Promise<HitsAnswer> {
    return hits(await this.data, question);
  }

  async rank(question: RankQuestion): Promise<RankAnswer> {
    return rank(await this.data, question);
  }

  /** A page does not grow. */
  async growth(): Promise<GrowthAnswer> {
    const { recording, methods } = await this.data;
    const { duration, tracks } = recording;
    return { growing: false, duration, tracks: tracks.length, methods: methods.length };
  }

  async bookmarks(): Promise<BookmarksAnswer> {
    return (await this.kept()).read();
  }

  async saveBookmarks(bookmarks: BookmarksAnswer): Promise<{ saved: boolean; present: BookmarksAnswer }> {
    return (await this.kept()).save(bookmarks);
  }

  private async kept(): Promise<LocalBookmarks> {
    return new LocalBookmarks(await this.recording());
  }
}
