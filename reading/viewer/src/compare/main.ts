import { harmless } from '../base/harmless';
import type { CallPlace } from '../differences/contract';
import { button, make } from '../differences/dom';
import { readCompareAddress, writeCompareAddress } from './address';
import { Coupling, type PlacedCall, together } from './coupling';
import { placed } from './matching';
import { DifferencePanel } from './panel';
import { ThreadPartners } from './threads';
import { TiedCalls } from './tied';
import { Ties } from './ties';
import { Viewers } from './viewers';
import './compare.css';

/** Browsers limit how often the address may change. */
const ADDRESS_MS = 250;

/** Several recordings one above the other, each in its own viewer, on coupled time axes, and what differs. */
class Comparison {
  private readonly coupling: Coupling;
  private readonly panel: DifferencePanel;
  private readonly viewers: Viewers;
  private readonly ties: Ties;
  private readonly tied: TiedCalls;
  private readonly couple: HTMLButtonElement;
  private readonly differ: HTMLButtonElement;
  private readonly partners = new ThreadPartners();
  /** Counts the scrolls, because an answer may come after the next one. */
  private scrolls = 0;
  private timer: number | undefined;
  private lastHash = location.hash;

  constructor(
    private readonly names: readonly string[],
    page: HTMLElement,
  ) {
    const address = readCompareAddress(location.hash, names.length);
    this.coupling = new Coupling(
      names.length,
      address.viewers.some((hash) => hash !== ''),
    );
    this.coupling.coupled = !address.apart;
    const header = make('header', '', page);
    make('h1', names.map((name, i) => `${i + 1} ${name}`).join('   '), header);
    this.differ = button('Differences', header, () => this.openPanel(!this.panel.open));
    this.couple = button('', header, () => {
      this.coupling.toggle();
      this.changed();
    });
    this.viewers = new Viewers(names, address.viewers, {
      moved: (index, window) => this.coupling.moved(index, window).forEach((goal) => this.viewers.move(...goal)),
      changed: () => this.changed(),
      ready: (index) => this.colour(index),
      selected: (index, call) => void this.tied.selected(index, call),
      scrolled: (index, track, pixels) => void this.scrolled(index, track, pixels),
      drawn: (index, at) => this.ties.drawn(index, at),
    });
    this.ties = new Ties((index) => this.viewers.place(index));
    this.viewers.element.append(this.ties.element);
    new ResizeObserver(() => this.ties.draw()).observe(this.viewers.element);
    this.panel = new DifferencePanel(names, {
      show: (places) => this.show(places),
      coloured: () => names.forEach((_, index) => this.colour(index)),
      changed: () => this.changed(),
    });
    this.tied = new TiedCalls(this.panel.matched, this.panel, this.viewers, this.ties, (calls) => this.align(calls));
    const body = make('div', '', page, 'beside');
    body.append(this.viewers.element, this.panel.element);
    this.listen();
    this.apply();
  }

  private listen(): void {
    addEventListener('keydown', (event) => {
      const { altKey, ctrlKey, metaKey, target } = event;
      if (altKey || ctrlKey || metaKey || (target as HTMLElement).closest('select')) return;
      if (event.key === 'n') this.panel.step(1);
      else if (event.key === 'p') this.panel.step(-1);
      else if (event.key === 'd') this.openPanel(!this.panel.open);
    });
    const withAlt = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey) return;
      const by = event.code === 'KeyN' ? 1 : event.code === 'KeyP' ? -1 : undefined;
      if (by === undefined || !this.panel.open) return;
      event.preventDefault();
      this.panel.step(by);
    };
    addEventListener('keydown', withAlt);
    this.viewers.listen(withAlt);
    addEventListener('hashchange', () => {
      if (location.hash === this.lastHash) return;
      this.apply();
      this.viewers.go(readCompareAddress(location.hash, this.names.length).viewers);
    });
  }

  /** Does what the address says, except for the viewers. */
  private apply(): void {
    this.lastHash = location.hash;
    const address = readCompareAddress(location.hash, this.names.length);
    const { panel } = this;
    panel.base = address.base;
    panel.new = address.new;
    panel.chosen = address.chosen;
    panel.wide = address.wide;
    panel.coloured = address.coloured;
    panel.toggle(address.differences);
    const both = [address.base, address.new].every((number) => /(^|&)call=/.test(address.viewers[number - 1]!));
    this.tied.show(address.differences && both ? [address.base - 1, address.new - 1] : undefined);
    this.say();
  }

  private openPanel(open: boolean): void {
    this.panel.toggle(open);
    if (!open) this.tied.show(undefined);
    this.changed();
  }

  /** Brings the calls of both sides to the same place; what one side lacks does not move it. */
  private show(places: readonly [CallPlace | null, CallPlace | null]): void {
    const sides = [this.panel.base - 1, this.panel.new - 1] as const;
    const durations = this.panel.durations(true);
    this.align(places.flatMap((place, i) => (place ? [placed(sides[i]!, place, durations[i]!)] : [])));
    places.forEach((place, i) => {
      if (place) this.viewers.show(sides[i]!, { ...place, time: place.begin });
    });
    this.tied.show(places[0] && places[1] ? sides : undefined);
  }

  /** One scroll for both: the thread that stands for the uppermost one comes to the upper edge of the other viewer. */
  private async scrolled(index: number, track: number, pixels: number): Promise<void> {
    const { base, new: fresh } = this.panel;
    if (!this.coupling.coupled || ![base - 1, fresh - 1].includes(index)) return;
    const toNew = index === base - 1;
    const scroll = ++this.scrolls;
    const partner = await this.partners.of(track, base, fresh, toNew).catch(() => undefined);
    if (partner === undefined || scroll !== this.scrolls) return;
    this.viewers.scroll(toNew ? fresh - 1 : base - 1, partner, pixels);
  }

  /** Colours the calls of a viewer, if it shows one of the sides, by how they differ. */
  private colour(index: number): void {
    const { panel } = this;
    const isSide = [panel.base - 1, panel.new - 1].includes(index);
    this.viewers.colour(index, isSide ? panel.colours : null);
  }

  private align(calls: readonly PlacedCall[]): void {
    const goals = together(calls);
    this.coupling.align(goals);
    goals.forEach((goal) => this.viewers.move(...goal));
    this.changed();
  }

  private say(): void {
    const { coupled } = this.coupling;
    this.couple.textContent = coupled ? 'Moved together' : 'Moved apart';
    this.couple.setAttribute('aria-pressed', String(coupled));
    this.couple.title = coupled
      ? 'Time axes and threads are coupled; press to move each by itself'
      : 'Press to move all together, as far apart as they are now';
    this.differ.setAttribute('aria-pressed', String(this.panel.open));
    this.differ.title = 'What got slower or faster from one recording to the other (D)';
  }

  /** Has the address show what is shown, soon. */
  private changed(): void {
    this.say();
    this.timer ??= window.setTimeout(() => {
      this.timer = undefined;
      // Somebody has just changed the address, and the browser has not reported it yet: the new address counts.
      if (location.hash !== this.lastHash) return;
      const { chosen, base, new: fresh, wide, coloured, open } = this.panel;
      const address = writeCompareAddress({
        viewers: this.viewers.hashes,
        apart: !this.coupling.coupled,
        differences: open,
        base,
        new: fresh,
        ...(chosen === undefined ? {} : { chosen }),
        wide,
        coloured,
      });
      history.replaceState(null, '', '#' + address);
      this.lastHash = location.hash;
    }, ADDRESS_MS);
  }
}

async function show(page: HTMLElement): Promise<void> {
  const answer = await fetch('api/recordings', { cache: 'no-store' });
  const { recordings } = JSON.parse(harmless(await answer.text())) as { recordings: readonly string[] };
  document.title = `${recordings.join(', ')} – Kymo`;
  new Comparison(recordings, page);
}

const page = document.getElementById('page')!;
show(page).catch(() => {
  const sorry = document.createElement('p');
  sorry.setAttribute('role', 'alert');
  sorry.textContent = 'The server does not answer: was “kymo view” stopped? Reload this page when it runs again.';
  page.append(sorry);
});
