import { readAddress, writeAddress } from '../base/address';
import { countFrom } from '../base/time';
import { windowEnd, windowOf } from '../base/window';
import { type Client, type LostError, RefusedError } from '../data/client';
import type { Recording } from '../data/contract';
import { Arrows } from './arrows';
import { Bookmarks } from './bookmarks';
import { carried } from './carried';
import { Core } from './core';
import { CriticalPaths } from './critical-path';
import { Editions } from './editions';
import { EventFilter } from './event-filter';
import { Exporting } from './exporting';
import { firstPicture } from './first';
import { Growth } from './growth';
import { LegendState } from './legend';
import { MenuState } from './menu';
import { Overview } from './overview';
import { PaletteState } from './palette';
import { Points } from './points';
import { Queries } from './queries';
import { Scrolling } from './scrolling';
import { Search } from './search';

const RETRY_MS = 2000;

/**
 * What the page shows, in one place. Views read it and call its methods; they learn of changes by
 * `subscribe`. It loads the recording and keeps the address bar in step.
 */
export class Model extends Core {
  readonly search = new Search(this);
  readonly palette = new PaletteState(this);
  readonly overview = new Overview(this.client, () => this.changed());
  readonly bookmarks = new Bookmarks(this);
  readonly growth = new Growth(this, this.overview);
  readonly arrows = new Arrows(this);
  readonly eventFilter = new EventFilter(this);
  readonly scrolling = new Scrolling(this);
  readonly path = new CriticalPaths(this);
  readonly points = new Points(this, (message) => {
    this.search.message = message;
    this.changed();
  });
  readonly queries = new Queries(this);
  readonly menu = new MenuState(() => this.changedNow());
  readonly exporting = new Exporting(this);
  readonly legend = new LegendState(() => this.changed());
  readonly editions = new Editions(this, (next) => this.showNext(next));

  /** Hears of each address that is written. */
  addressed: ((hash: string) => void) | undefined;

  private addressTimer: number | undefined;
  /** The address last written or read. */
  private lastHash = location.hash;

  constructor(client: Client) {
    super(client);
    addEventListener('hashchange', () => {
      this.past.leave(this.window);
      this.applyAddress();
    });
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
        this.points.forget();
        this.recording = recording;
        countFrom(recording.origin ?? 0n);
        this.methods.adopt(recording.families);
        this.past.clear();
        this.applyAddress();
        void this.overview.load();
        void this.steps.load();
        void this.bookmarks.load();
        this.growth.start(readAddress(this.lastHash).from === undefined);
        this.editions.start();
      }
      this.loader.resume();
      this.ownLoader.resume();
    } catch (error) {
      this.failed(error as Error);
    }
    this.changed();
  }

  /** Everything has other numbers there: the page begins again, at the same place. */
  private showNext(next: Recording): void {
    clearTimeout(this.addressTimer);
    this.writeAddress('#' + writeAddress(carried(readAddress('#' + this.address()), this.recording!, next)));
    location.reload();
  }

  protected override failed(error: LostError | RefusedError | Error): void {
    const kind = error instanceof RefusedError ? 'refused' : 'lost';
    this.trouble = { kind, text: error.message };
    setTimeout(() => void this.load(), RETRY_MS);
    this.changed();
  }

  override remember(): void {
    this.changed();
    if (this.addressTimer !== undefined || !this.recording) return;
    // Browsers limit how often the address may change.
    this.addressTimer = window.setTimeout(() => {
      this.addressTimer = undefined;
      // Somebody has just changed the address, and the browser has not reported it yet: the new address counts.
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
    this.addressed?.(this.lastHash);
  }

  /** The address of the current view. */
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
      ...this.queries.address(),
      ...this.samples.address(),
      ...this.statistics.address(),
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
    this.queries.apply(address);
    this.samples.apply(address);
    this.statistics.apply(address);
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

  /** Shows the first view, when the address does not set one. */
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
