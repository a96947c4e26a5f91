import type { Place, ThemeChoice } from '../base/address';
import type { Theme } from '../base/colours';
import type { Nanos } from '../base/time';
import { between, clamped, offsetIn, panned, type TimeWindow, windowOf, zoomed } from '../base/window';
import { Cache } from '../data/cache';
import { type Client, type LostError, RefusedError } from '../data/client';
import type { Call, Recording } from '../data/contract';
import { fetchCalls, fetchOwn, Loader } from '../data/loader';
import { Methods } from '../data/methods';
import type { OwnPiece } from '../data/own-piece';
import type { Piece } from '../data/piece';
import { Questions } from '../data/questions';
import { crowdsOf } from '../render/crowds';
import { mainTrack } from '../render/groups';
import { helpersOf } from '../render/helpers';
import { layout, type Layout, NO_LAYOUT } from '../render/layout';
import type { Scene } from '../render/scene';
import { Depths } from './depths';
import { Order } from './order';
import { type EventsPlace, SelectedEvents } from './own-events';
import { PanelState } from './panel';
import { Past } from './past';
import { bringRow } from './scroller';
import { Selection } from './selection';
import { ShownSamples } from './shown-samples';
import { ShownStatistics } from './shown-statistics';
import { Steps } from './steps';

const ANIMATION_MS = 130;
const THEME_KEY = 'kymo.theme';

/** A message for the reader about what does not work. */
export interface Trouble {
  readonly kind: 'lost' | 'refused';
  readonly text: string;
}

/**
 * The state that all parts of the page share: the recording, the time window, the rows, and what is
 * selected. The other parts of the model read and change it, and it knows none of them; `Model` has them all.
 */
export abstract class Core {
  readonly client: Client;
  readonly cache = new Cache<Piece>();
  /** The events of the program's own. */
  readonly own = new Cache<OwnPiece>();
  readonly methods: Methods;
  readonly loader: Loader<Piece>;
  readonly ownLoader: Loader<OwnPiece>;
  readonly questions: Questions;

  recording: Recording | undefined;
  trouble: Trouble | undefined;
  window: TimeWindow = windowOf(0n, 1000n);
  /** The end of a growing recording stays in sight. */
  following = false;
  layout: Layout = NO_LAYOUT;
  filter = '';
  open: ReadonlySet<number> = new Set();
  /** The thread the keyboard is at. */
  current: number | undefined;
  selected: Place | undefined;
  /** The selected call; undefined while it is asked for, null if there is none. */
  call: Call | null | undefined;
  /** Methods to be found in the picture; all others are dimmed. */
  highlighted: ReadonlySet<number> | undefined;
  help = false;
  readonly selection = new Selection(this, () => this.remember());
  readonly panel = new PanelState(() => this.remember());
  readonly samples = new ShownSamples(
    () => this.recording,
    () => this.remember(),
  );
  readonly statistics = new ShownStatistics(() => this.remember());
  readonly order = new Order(() => this.relayout());
  readonly depths = new Depths(() => this.relayout());
  readonly steps: Steps;
  readonly events: SelectedEvents;
  /** Returns the scene that the timeline shows now. */
  scene: (() => Scene | undefined) | undefined;
  themeChoice: ThemeChoice = 'system';

  private readonly listeners = new Set<() => void>();
  private readonly darkSystem = matchMedia('(prefers-color-scheme: dark)');
  private readonly stillness = matchMedia('(prefers-reduced-motion: reduce)');
  protected readonly past = new Past();
  private target: TimeWindow | undefined;
  /** The view has changed: the browser's history must keep the previous one. */
  protected elsewhere = false;
  private announced = false;
  /** Tracks whose counters have their names. */
  private named: Recording['tracks'] | undefined;

  constructor(client: Client) {
    this.client = client;
    this.methods = new Methods(client);
    this.questions = new Questions(client, this.methods);
    const changed = () => this.changed();
    const failed = (error: LostError | RefusedError) => this.failed(error);
    this.loader = new Loader(fetchCalls(client, this.methods), this.cache, changed, failed);
    this.ownLoader = new Loader(fetchOwn(client, this.methods), this.own, changed, failed);
    this.steps = new Steps(client, this.methods, () => this.relayout());
    this.events = new SelectedEvents(client, this.methods, changed);
    const remembered = localStorage.getItem(THEME_KEY);
    if (remembered === 'light' || remembered === 'dark') this.themeChoice = remembered;
    this.darkSystem.addEventListener('change', changed);
  }

  /** Announces a change, and has the address bar show it soon. */
  abstract remember(): void;

  /** Reports what does not work, and tries again. */
  protected abstract failed(error: LostError | RefusedError | Error): void;

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Notifies the views, once per frame. */
  changed(): void {
    if (this.announced) return;
    this.announced = true;
    requestAnimationFrame(() => {
      this.announced = false;
      this.listeners.forEach((listener) => listener());
    });
  }

  /** Notifies the views at once: a reader who opens a field by a key types on in it. */
  changedNow(): void {
    this.listeners.forEach((listener) => listener());
  }

  /** Adopts a recording that has grown; everything known about its past stays valid. */
  grown(recording: Recording): void {
    const sameThreads = recording.tracks === this.recording?.tracks;
    this.recording = recording;
    this.methods.adopt(recording.families);
    if (sameThreads) this.changed();
    else this.relayout();
  }

  get duration(): Nanos {
    return this.recording?.duration ?? 0n;
  }

  get theme(): Theme {
    if (this.themeChoice !== 'system') return this.themeChoice;
    return this.darkSystem.matches ? 'dark' : 'light';
  }

  cycleTheme(): void {
    const next = { system: 'light', light: 'dark', dark: 'system' } as const;
    this.themeChoice = next[this.themeChoice];
    if (this.themeChoice === 'system') localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, this.themeChoice);
    this.remember();
  }

  // --- the time window ---

  get animating(): boolean {
    return this.target !== undefined;
  }

  look(window: TimeWindow): void {
    this.leave();
    this.show(window);
  }

  protected show(window: TimeWindow): void {
    this.following = false;
    this.target = undefined;
    this.window = clamped(window, this.duration);
    this.remember();
  }

  /** Keeps the current view, because it is about to change. */
  private leave(): void {
    if (this.past.leave(this.window)) this.elsewhere = true;
  }

  /** Returns to the view before the last zoom or movement. */
  lookBack(): void {
    const window = this.past.back();
    if (window) this.moveTo(window);
  }

  zoom(share: number, factor: number): void {
    this.look(zoomed(this.window, share, factor, this.duration));
  }

  pan(share: number): void {
    this.look(panned(this.window, share));
  }

  /** Moves there with a short animation, so that the reader can follow. */
  glide(next: (from: TimeWindow) => TimeWindow): void {
    const goal = next(this.target ?? this.window);
    this.leave();
    this.moveTo(goal);
  }

  private moveTo(window: TimeWindow): void {
    this.following = false;
    const goal = clamped(window, this.duration);
    if (this.stillness.matches) {
      this.show(goal);
      return;
    }
    const start = this.window;
    const begun = performance.now();
    this.target = goal;
    const step = () => {
      if (this.target !== goal) return;
      const progress = Math.min(1, (performance.now() - begun) / ANIMATION_MS);
      this.window = between(start, goal, 1 - (1 - progress) ** 2);
      if (progress < 1) requestAnimationFrame(step);
      else this.show(goal);
      this.changed();
    };
    step();
  }

  glideZoom(factor: number): void {
    this.glide((window) => zoomed(window, 0.5, factor, this.duration));
  }

  glidePan(share: number): void {
    this.glide((window) => panned(window, share));
  }

  showWhole(): void {
    this.glide(() => windowOf(0n, this.duration));
  }

  /** Brings a moment into the middle. */
  goTo(time: Nanos): void {
    this.glide((window) => panned(window, offsetIn(window, time) / window.span - 0.5));
  }

  /** Moves only as far as needed to show a moment. */
  bringIntoSight(time: Nanos): void {
    const at = offsetIn(this.window, time) / this.window.span;
    if (at < 0 || at > 1) this.goTo(time);
  }

  /** Shows an interval with some room around it. */
  showInterval(begin: Nanos, end: Nanos): void {
    const margin = (end - begin) / 8n + 1n;
    this.glide(() => windowOf(begin - margin, end + margin));
  }

  // --- threads ---

  toggle(track: number): void {
    const open = new Set(this.open);
    if (!open.delete(track)) open.add(track);
    this.open = open;
    this.current = track;
    this.relayout();
  }

  foldAll(): void {
    this.open = new Set();
    this.relayout();
  }

  setFilter(filter: string): void {
    this.filter = filter;
    this.relayout();
    const first = this.layout.rows.find((row) => row.kind === 'track');
    if (filter.trim() !== '' && first) bringRow(first);
  }

  /** Makes sure that a thread has a row. */
  showTrack(track: number): void {
    const shown = () => this.layout.byTrack.has(track);
    const main = mainTrack(this.recording!, track);
    const process = helpersOf(this.recording!).get(main)?.process ?? this.recording!.tracks[track]!.process;
    if (!shown()) this.order.unhide(main, process, crowdsOf(this.recording!).get(main)?.key);
    if (!shown()) this.setFilter('');
  }

  /** Lays the rows out again. */
  relayout(): void {
    this.nameCounters();
    if (this.recording)
      this.layout = layout(
        this.recording,
        this.open,
        this.filter,
        this.order,
        this.steps.processes,
        this.depths.byTrack,
      );
    this.remember();
  }

  /** Requests the names beside the counters' curves. */
  private nameCounters(): void {
    const { recording } = this;
    if (!recording || recording.tracks === this.named) return;
    this.named = recording.tracks;
    const events = recording.tracks.flatMap((track) => track.counters?.map((counter) => counter.event) ?? []);
    if (events.length === 0) return;
    this.methods.need(events).then(
      () => this.relayout(),
      (error: Error) => this.failed(error),
    );
  }

  // --- the selected call ---

  select(place: Place | undefined): void {
    this.selected = place;
    this.call = undefined;
    this.events.select(undefined);
    if (place) {
      this.current = this.recording ? mainTrack(this.recording, place.track) : place.track;
      void this.fetchCall(place);
    }
    this.remember();
  }

  /** Selects events of the program's own instead of a call. */
  selectEvents(place: EventsPlace): void {
    this.select(undefined);
    this.events.select(place);
    this.current = place.track;
  }

  private async fetchCall(place: Place): Promise<void> {
    try {
      const call = await this.client.call(place.track, place.depth, place.time);
      if (call) await this.methods.need([call.method, ...call.callers.map((c) => c.method)]);
      if (this.selected === place) this.call = call ?? null;
    } catch (error) {
      if (error instanceof RefusedError) this.call = null;
      else this.failed(error as Error);
    }
    this.changed();
  }
}
