import { css } from '../base/colours';
import { differenceColour } from '../base/hues';
import { type CallPlace, type Differences, type Finding, type Role, signsOf, stepped } from '../differences/contract';
import { button, make } from '../differences/dom';
import { DifferenceFlames, type SideName } from '../differences/flame';
import { FindingList } from '../differences/list';
import { short } from '../differences/words';
import { askLong } from './ask';
import '../differences/differences.css';

/** What the panel wants of the page around it. */
export interface PanelPage {
  /** Shows a call of each side, if it has one. */
  show(places: readonly [CallPlace | null, CallPlace | null]): void;
  /** Calls are to be coloured in another way. */
  coloured(): void;
  /** The address is to be written. */
  changed(): void;
}

/** The panel beside the timelines: what differs between two of the recordings. */
export class DifferencePanel {
  readonly element = make('aside', '');
  /** Room for what is said of the selected call. */
  readonly matched: HTMLElement;
  base = 1;
  new = 2;
  chosen: number | undefined;
  wide: SideName = 'new';
  /** Calls in the timelines are coloured by difference. */
  coloured = false;
  private readonly says: HTMLElement;
  private readonly body: HTMLElement;
  private readonly steps: readonly HTMLButtonElement[];
  private readonly legend: HTMLElement;
  private asking: AbortController | undefined;
  private data: Differences | undefined;
  private list: FindingList | undefined;
  private flames: DifferenceFlames | undefined;

  constructor(
    private readonly names: readonly string[],
    private readonly page: PanelPage,
  ) {
    const { element } = this;
    element.className = 'differences';
    element.setAttribute('aria-label', 'Differences');
    element.hidden = true;
    const bar = make('div', '', element, 'bar');
    if (names.length > 2) this.sides(bar);
    this.steps = [
      button('Previous (p)', bar, () => this.step(-1)),
      button('Next (n)', bar, () => this.step(1)),
      button('Colour calls', bar, () => {
        this.coloured = !this.coloured;
        this.sayColours();
        this.page.coloured();
        this.page.changed();
      }),
    ];
    this.legend = legend(element);
    this.says = make('p', '', element, 'says');
    this.says.setAttribute('role', 'status');
    this.matched = make('div', '', element);
    this.body = make('div', '', element, 'body');
    this.ready(false);
  }

  /** Two of several recordings are chosen. */
  private sides(bar: HTMLElement): void {
    for (const side of ['base', 'new'] as const) {
      const select = make('select', '', bar);
      select.setAttribute('aria-label', side === 'base' ? 'The base' : 'What is compared with it');
      this.names.forEach((name, i) => (make('option', `${i + 1} ${name}`, select).value = String(i + 1)));
      select.dataset['side'] = side;
      select.addEventListener('change', () => {
        this[side] = Number(select.value);
        this.chosen = undefined;
        this.forget();
        this.page.changed();
        void this.ask();
      });
    }
  }

  /** The methods to be coloured, and how; null = none. */
  get colours(): ReadonlyArray<readonly [string, number]> | null {
    return this.open && this.coloured && this.data ? signsOf(this.data) : null;
  }

  private sayColours(): void {
    this.legend.hidden = !this.coloured;
    this.steps[2]!.setAttribute('aria-pressed', String(this.coloured));
  }

  private ready(ready: boolean): void {
    for (const one of this.steps) one.disabled = !ready;
    this.sayColours();
    for (const select of this.element.querySelectorAll<HTMLSelectElement>('select[data-side]'))
      select.value = String(this[select.dataset['side'] as SideName]);
  }

  get open(): boolean {
    return !this.element.hidden;
  }

  /** The kinds of threads, as far as they are known. */
  get roles(): readonly Role[] {
    return this.data?.threads ?? [];
  }

  /** How long the recordings are, in nanoseconds: the base first or, on request, the new one. */
  durations(baseFirst: boolean): readonly [number, number] {
    const both = [this.data?.base[0]?.duration ?? Infinity, this.data?.new[0]?.duration ?? Infinity] as const;
    return baseFirst ? both : [both[1], both[0]];
  }

  /** Opens it, which asks the server, or closes it, which ends the server's work. */
  toggle(open: boolean): void {
    this.element.hidden = !open;
    if (open && !this.data) void this.ask();
    else if (open) this.restore();
    if (!open) this.asking?.abort();
    this.sayColours();
    this.page.coloured();
  }

  private forget(): void {
    this.asking?.abort();
    this.data = undefined;
    this.list = undefined;
    this.flames = undefined;
    this.body.textContent = '';
    this.ready(false);
    this.page.coloured();
  }

  private async ask(): Promise<void> {
    this.forget();
    const asking = new AbortController();
    this.asking = asking;
    if (this.base === this.new) {
      this.says.textContent = 'Choose two recordings.';
      return;
    }
    const progress = make('progress', '', this.body);
    progress.setAttribute('aria-label', 'Comparing');
    this.says.textContent = 'Comparing …';
    try {
      const data = await askLong<Differences>(
        `api/differences?base=${this.base}&new=${this.new}`,
        asking.signal,
        (share) => (progress.value = share),
      );
      this.body.textContent = '';
      this.fill(data);
    } catch (error) {
      if (asking.signal.aborted) return;
      this.body.textContent = '';
      this.says.textContent = (error as Error).message;
      button('Try again', this.body, () => void this.ask());
    }
  }

  private fill(data: Differences): void {
    this.data = data;
    this.says.textContent = summaryOf(data);
    const list = make('section', '', this.body, 'list');
    list.setAttribute('aria-label', 'What differs');
    this.list = new FindingList(data, list, (index) => this.go(index));
    const graphs = make('section', '', this.body, 'graphs');
    graphs.setAttribute('aria-label', 'Flame graphs');
    this.flames = new DifferenceFlames(data, graphs, (side) => {
      this.wide = side;
      this.page.changed();
    });
    this.flames.choose(this.wide);
    this.ready(this.list.shown.length > 0);
    this.page.coloured();
    this.restore();
  }

  /** Marks what an address has chosen: the timelines have addresses of their own. */
  private restore(): void {
    const finding = this.chosen === undefined ? undefined : this.mark(this.chosen);
    if (finding) this.says.textContent = shownOfSides(finding, placesOf(finding));
  }

  /** Goes to the next difference, or to the one before. */
  step(by: 1 | -1): void {
    const { data, list } = this;
    if (!this.open || !data || !list) return;
    const next = stepped(this.chosen, by, data.findings.length, list.shown.length);
    if (next !== undefined) this.go(next);
  }

  private go(index: number): void {
    const finding = this.mark(index);
    if (!finding) return;
    const at = placesOf(finding);
    this.says.textContent = shownOfSides(finding, at);
    this.page.show(at);
    this.page.changed();
  }

  /** The calls that were shown for a difference are no longer those that are selected. */
  forgetShown(): void {
    if (this.data) this.says.textContent = summaryOf(this.data);
  }

  private mark(index: number): Finding | undefined {
    const finding = this.list?.shown[index];
    if (!finding) return undefined;
    this.chosen = index;
    this.list!.mark(index);
    this.list!.reveal(index);
    this.flames!.show(finding);
    return finding;
  }
}

function placesOf({ parts }: Finding): readonly [CallPlace | null, CallPlace | null] {
  return parts[0]?.at ?? [null, null];
}

/** What the colours in the timelines are, as each theme has them. */
function legend(into: HTMLElement): HTMLElement {
  const row = make('p', '', into, 'colours');
  for (const [sign, text] of [
    [1, 'slower'],
    [-1, 'faster'],
    [0, 'no certain difference'],
  ] as const) {
    const [light, dark] = (['light', 'dark'] as const).map((theme) => css(differenceColour(sign, theme)));
    make('i', '', row).style.background = `light-dark(${light}, ${dark})`;
    make('span', text, row);
  }
  return row;
}

/** What holds for all differences. */
function summaryOf({ drift, findings, counted }: Differences): string {
  const count = findings.length === 0 ? 'No certain difference' : `${findings.length} certain`;
  const factor = Math.abs(Math.log(drift.factor)) > 0.03 ? `; all takes ${drift.factor.toFixed(2)} times as long` : '';
  const left = counted.length === 0 ? '' : `; ${counted.length} methods were only counted`;
  return `${count}${factor}${left}.`;
}

/** Which calls are shown. */
export function shownOfSides(
  { method }: Pick<Finding, 'method'>,
  places: readonly [CallPlace | null, CallPlace | null],
): string {
  const [base, fresh] = places.map((place) => {
    if (!place) return 'nothing to show';
    if (place.above === 0) return `the longest ${short(place.method || method)}`;
    return `no such call, so the longest ${short(place.method)} above it`;
  });
  return base === fresh ? `Shown in both: ${base}.` : `Shown in base: ${base}; in new: ${fresh}.`;
}
