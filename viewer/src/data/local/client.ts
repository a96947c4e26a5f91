import type { Client, EventsQuestion, WindowQuestion } from '../client';
import type {
  Call,
  DurationsAnswer,
  EventsAnswer,
  MethodAnswer,
  Recording,
  Scope,
  SummaryAnswer,
  TreeAnswer,
  WindowAnswer,
} from '../contract';
import { LocalBookmarks } from './bookmarks';
import { callAt } from './call';
import { durations } from './durations';
import { events } from './events';
import { find, type Start } from './find';
import { matchingMethods } from './pattern';
import { search } from './search';
import { selected } from './selection';
import { summary } from './summary';
import { tree } from './tree';
import { type LocalRecording, unpack } from './unpack';
import { windowAnswer } from './window';

/** Which call to find: of one method, or of those whose names match a pattern. */
interface LocalFindQuestion {
  readonly of: { readonly method: number } | { readonly pattern: string };
  readonly direction: 'next' | 'previous' | 'longest';
  readonly from?: Start;
  readonly tracks?: readonly number[];
}

/** A bookmark as the page has it. */
interface Kept {
  readonly id: string;
  readonly from: bigint;
  readonly to: bigint;
  readonly track?: number;
  readonly text: string;
  readonly colour: number;
}

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

  async summary(scope: Scope): Promise<SummaryAnswer> {
    const data = await this.data;
    return summary(data, selected(data, scope));
  }

  async tree(scope: Scope, up: boolean): Promise<TreeAnswer> {
    const data = await this.data;
    return tree(data, selected(data, scope), up);
  }

  async durations(scope: Scope, method: number): Promise<DurationsAnswer> {
    return durations(selected(await this.data, scope), method);
  }

  async events(scope: Scope, question: EventsQuestion): Promise<EventsAnswer> {
    return events(selected(await this.data, scope), question);
  }

  async overview() {
    return (await this.data).overview;
  }

  async search(pattern: string) {
    const data = await this.data;
    return search(data, selected(data, {}), pattern);
  }

  async find({ of, direction, from, tracks }: LocalFindQuestion): Promise<Call | undefined> {
    const data = await this.data;
    const methods = 'pattern' in of ? matchingMethods(data, of.pattern) : new Set([of.method]);
    const selection = selected(data, tracks ? { tracks } : {});
    return find(data, selection, methods, direction, from ?? { time: 0n });
  }

  /** A page does not grow. */
  async growth() {
    const { recording, methods } = await this.data;
    const { duration, tracks } = recording;
    return { growing: false, duration, tracks: tracks.length, methods: methods.length };
  }

  async bookmarks() {
    return (await this.kept()).read<Kept>();
  }

  async saveBookmarks(bookmarks: { readonly version: number; readonly bookmarks: readonly Kept[] }) {
    return (await this.kept()).save(bookmarks);
  }

  private async kept(): Promise<LocalBookmarks> {
    return new LocalBookmarks(await this.recording());
  }
}
