import { readAddress, type Place, type ThemeChoice, writeAddress } from '../base/address';
import type { Theme } from '../base/colours';
import { countFrom, type Nanos } from '../base/time';
import { between, clamped, offsetIn, type TimeWindow, windowEnd, windowOf, zoomed, panned } from '../base/window';
import { Cache } from '../data/cache';
import { type Client, type LostError, RefusedError } from '../data/client';
import type { Call, Recording } from '../data/contract';
import { fetchCalls, fetchOwn, Loader } from '../data/loader';
import type { OwnPiece } from '../data/own-piece';
import type { Piece } from '../data/piece';
import { Methods } from '../data/methods';
import { crowdsOf } from '../render/crowds';
import { mainTrack } from '../render/groups';
import { helpersOf } from '../render/helpers';
import { layout, type Layout, NO_LAYOUT } from '../render/layout';
import type { Scene } from '../render/scene';
import { Questions } from '../data/questions';
import { Arrows } from './arrows';
import { Bookmarks } from './bookmarks';
import { firstPicture } from './first';
import { Depths } from './depths';
import { EventFilter } from './event-filter';
import { Exporting } from './export/state';
import { Growth } from './growth';
import { LegendState } from './legend-state';
import { MenuState } from './menu/state';
import { Order } from './order';
import { type EventsPlace, SelectedEvents } from './own-events';
import { Overview } from './overview';
import { PaletteState } from './palette-state';
import { PanelState } from './panel-state';
import { CriticalPaths } from './critical-path';
import { Past } from './past';
import { Scrolling } from './scrolling';
import { Search } from './search';
import { Selection } from './selection';
import { Steps } from './steps';

const RETRY_MS = 2000;
const ANIMATION_MS = 130;
const THEME_KEY = 'kymo.theme';

/** A word to the reader about what does not work. */
export interface Trouble {
  readonly kind: 'lost' | 'refused';
  readonly text: string;
}

/**
 * What the page shows, in one place. Views read it and call its methods; they learn of changes by
 * `subscribe`. Nothing here touches the page's elements but the address bar.
 */
export class Model {
  readonly client: Client;
  readonly cache = new Cache<Piece>();
  /** The events of the program's own. */
  readonly own = new Cache<OwnPiece>();
  readonly methods: Methods;
  readonly loader: Loader<Piece>;
  readonly ownLoader: Loader<OwnPiece>;

  recording: Recording | undefined;
  trouble: Trouble | undefined;
  window: TimeWindow = windowOf(0n, 1000n);
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
  readonly questions: Questions;
  readonly selection = new Selection(this, () => this.remember());
  readonly panel = new PanelState(() => this.remember());
  readonly order = new Order(() => this.relayout());
  readonly search = new Search(this);
  readonly palette = new PaletteState(this);
  readonly overview = new Overview(this);
  readonly bookmarks = new Bookmarks(this);
  readonly growth = new Growth(this);
  readonly arrows = new Arrows(this);
  readonly steps = new Steps(this);
  readonly events = new SelectedEvents(this);
  readonly eventFilter = new EventFilter(this);
  readonly scrolling = new Scrolling(this);
  readonly path = new CriticalPaths(this);
  readonly menu = new MenuState(this);
  readonly exporting = new Exporting(this);
  readonly depths = new Depths(this);
  readonly legend = new LegendState(() => this.changed());
  /** What the timeline is painted from now. */
  scene: (() => Scene | undefined) | undefined;
  themeChoice: ThemeChoice = 'system';

  private readonly listeners = new Set<() => void>();
  private readonly darkSystem = matchMedia('(prefers-color-scheme: dark)');
  private readonly stillness = matchMedia('(prefers-reduced-motion: reduce)');
  private readonly past = new Past();
  private target: TimeWindow | undefined;
  /** One looks elsewhere: the browser's history is to have the place that is left. */
  private elsewhere = false;
  private announced = false;
  /** Tracks whose counters have their names. */
  private named: Recording['tracks'] | undefined;
  private addressTimer: number | undefined;
  /** The address last written or read. */
  private lastHash = location.hash;

  constructor(client: Client) {
    this.client = client;
    this.methods = new Methods(client);
    this.questions = new Questions(client, this.methods);
    const changed = () => this.changed();
    const failed = (error: LostError | RefusedError) => this.failed(error);
    this.loader = new Loader(fetchCalls(client, this.methods), this.cache, changed, failed);
    this.ownLoader = new Loader(fetchOwn(client, this.methods), this.own, changed, failed);
    const remembered = localStorage.getItem(THEME_KEY);
    if (remembered === 'light' || remembered === 'dark') this.themeChoice = remembered;
    this.darkSystem.addEventListener('change', () => this.changed());
    addEventListener('hashchange', () => {
      this.past.leave(this.window);
      this.applyAddress();
    });
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Tells the views, once a frame. */
  changed(): void {
    if (this.announced) return;
    this.announced = true;
    requestAnimationFrame(() => {
      this.announced = false;
      this.listeners.forEach((listener) => listener());
    });
  }

  /** Tells the views at once: whoever opens a field by a key types on in it. */
  changedNow(): void {
    this.listeners.forEach((listener) => listener());
  }

  async load(): Promise<void> {
    try {
      const recording = await this.client.recording();
      const old = this.recording;
      this.trouble = undefined;
      // The server may have come back with another recording.
      if (!old || old.name !== recording.name || old.duration !== recording.duration) {
        this.cache.clear();
        this.own.clear();
        this.questions.clear();
        this.recording = recording;
        countFrom(recording.origin ?? 0n);
        this.methods.adopt(recording.families);
        this.past.clear();
        this.applyAddress();
        void this.overview.load();
        void this.steps.load();
        void this.bookmarks.load();
        this.growth.start(readAddress(this.lastHash).from === undefined);
      }
      this.loader.resume();
      this.ownLoader.resume();
    } catch (error) {
      this.failed(error as Error);
    }
    this.changed();
  }

  private failed(error: LostError | RefusedError | Error): void {
    const kind = error instanceof RefusedError ? 'refused' : 'lost';
    this.trouble = { kind, text: error.message };
    setTimeout(() => void this.load(), RETRY_MS);
    this.changed();
  }

  /** Takes over what a recording has become; what is known of its past stays true. */
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

  // --- where one looks ---

  get animating(): boolean {
    return this.target !== undefined;
  }

  look(window: TimeWindow): void {
    this.leave();
    this.show(window);
  }

  private show(window: TimeWindow): void {
    this.growth.pause();
    this.target = undefined;
    this.window = clamped(window, this.duration);
    this.remember();
  }

  /** Keeps where one looks, because one is about to look elsewhere. */
  private leave(): void {
    if (this.past.leave(this.window)) this.elsewhere = true;
  }

  /** Looks again where one looked before the last zoom or movement. */
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

  /** Goes there in a short movement, so that one sees where from. */
  glide(next: (from: TimeWindow) => TimeWindow): void {
    const goal = next(this.target ?? this.window);
    this.leave();
    this.moveTo(goal);
  }

  private moveTo(window: TimeWindow): void {
    this.growth.pause();
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

  /** Moves no further than needed for a moment to be seen. */
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
    if (filter.trim() !== '' && first) this.scrolling.bring(first);
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
    if (this.recording) this.layout = layout(this.recording, this.open, this.filter, this.order, this.steps.processes, this.depths.byTrack);
    this.remember();
  }

  /** The names beside the counters' curves. */
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

  // --- the address bar ---

  remember(): void {
    this.changed();
    if (this.addressTimer !== undefined || !this.recording) return;
    // Browsers allow only so many changes of the address in a time.
    this.addressTimer = window.setTimeout(() => {
      this.addressTimer = undefined;
      // Somebody has just changed the address, and the browser has not told yet: theirs counts.
      if (location.hash !== this.lastHash) return;
      this.writeAddress('#' + this.address());
    }, 250);
  }

  private writeAddress(hash: string): void {
    // Pages of several recordings share one history.
    if (this.elsewhere && hash !== location.hash && parent === window) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
    this.elsewhere = false;
    this.lastHash = location.hash;
  }

  /** The address of what one sees now. */
  link(): string {
    return location.href.replace(/#.*$/, '') + '#' + this.address();
  }

  private address(): string {
    const { window, duration } = this;
    const to = windowEnd(window);
    const whole = window.start === 0n && to >= duration;
    return writeAddress({
      ...(whole ? {} : { from: window.start, to }),
      open: [...this.open],
      ...this.scrolling.address(),
      ...(this.selected ? { selected: this.selected } : {}),
      filter: this.filter,
      ...this.selection.address(),
      ...this.order.address(),
      ...(this.search.pattern ? { search: this.search.pattern } : {}),
      ...this.arrows.address(),
      ...this.events.address(),
      ...this.eventFilter.address(),
      ...this.path.address(),
      ...this.panel.address(),
      ...(this.themeChoice === 'system' ? {} : { theme: this.themeChoice }),
    });
  }

  private applyAddress(): void {
    const { recording } = this;
    if (!recording) return;
    this.lastHash = location.hash;
    const address = readAddress(this.lastHash);
    const last = recording.tracks.length;
    if (address.theme) this.themeChoice = address.theme;
    this.open = new Set(address.open.filter((track) => track < last));
    this.filter = address.filter;
    this.selection.apply(address, recording);
    this.order.apply(address, recording);
    this.search.apply(address);
    this.arrows.apply(address);
    this.eventFilter.apply(address);
    this.panel.apply(address);
    this.path.apply(address, recording);
    const { from, to, selected } = address;
    const window = from !== undefined && to !== undefined ? windowOf(from, to) : windowOf(0n, this.duration);
    if (address.first) this.showFirst(recording);
    else this.show(window);
    this.relayout();
    this.scrolling.apply(address);
    this.select(selected && selected.track < last ? selected : undefined);
    if (!selected) this.events.apply(address, recording);
  }

  /** What one sees without an address that says anything. */
  private showFirst(recording: Recording): void {
    const { window, busiest, foldedGroups, foldedIdle, foldedCrowds } = firstPicture(recording);
    this.order.foldedCrowds = foldedCrowds;
    this.order.foldedGroups = foldedGroups;
    this.order.foldedIdle = foldedIdle;
    this.current = busiest;
    if (busiest !== undefined) this.open = new Set([busiest]);
    this.show(window);
  }
}
