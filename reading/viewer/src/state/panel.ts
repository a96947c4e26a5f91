import type { Address } from '../base/address';
import type { TrackKind } from '../base/words';
import type { Level } from '../data/categories';

export const TABS = [
  'summary',
  'categories',
  'tree',
  'callers',
  'flame',
  'butterfly',
  'durations',
  'events',
  'points',
  'path',
  'threads',
  'locks',
  'counters',
  'statistics',
  'matrix',
  'shares',
  'recorder',
  'query',
  'hits',
] as const;
export type Tab = (typeof TABS)[number];

const ABOUT: readonly TrackKind[] = ['states', 'jvm', 'scheduled', 'cpu'];

const HEIGHT_KEY = 'kymo.panel.height';
export const MIN_HEIGHT = 140;
/** The timeline keeps at least this much. */
const REST = 190;

/** The panel with the tables: whether it is open, what it shows, and how high it is. */
export class PanelState {
  open = false;
  tab: Tab = 'summary';
  height = Number(localStorage.getItem(HEIGHT_KEY) ?? 320);
  /** The filter of the table of methods; the categories set it too. */
  methodFilter = '';
  /** How coarse the categories are; by default packages, or classes if there is only one package. */
  level: Level | undefined;
  /** The tables are about calls, about waiting, or about what the virtual machine did. */
  about: TrackKind = 'calls';
  /** Corrected times are shown beside the measured ones. */
  corrected = false;
  /** The flame graph is drawn from the inside out: from the methods to their callers. */
  inverted = false;

  constructor(private readonly changed: () => void) {}

  toggle(): void {
    this.open = !this.open;
    this.changed();
  }

  show(tab: Tab): void {
    this.open = true;
    this.tab = tab;
    this.changed();
  }

  get maxHeight(): number {
    return Math.max(MIN_HEIGHT, innerHeight - REST);
  }

  resize(height: number): void {
    this.height = Math.round(Math.min(this.maxHeight, Math.max(MIN_HEIGHT, height)));
    localStorage.setItem(HEIGHT_KEY, String(this.height));
    this.changed();
  }

  setMethodFilter(filter: string): void {
    this.methodFilter = filter;
    this.changed();
  }

  setLevel(level: Level): void {
    this.level = level;
    this.changed();
  }

  setAbout(about: TrackKind): void {
    this.about = about;
    this.changed();
  }

  setCorrected(corrected: boolean): void {
    this.corrected = corrected;
    this.changed();
  }

  setInverted(inverted: boolean): void {
    this.inverted = inverted;
    this.changed();
  }

  address(): Pick<Address, 'panel' | 'about' | 'corrected' | 'inverted'> {
    return {
      ...(this.open ? { panel: this.tab } : {}),
      ...(this.about === 'calls' ? {} : { about: this.about }),
      ...(this.corrected ? { corrected: true } : {}),
      ...(this.inverted ? { inverted: true } : {}),
    };
  }

  apply({ panel, about, corrected = false, inverted = false }: Address): void {
    this.about = ABOUT.find((kind) => kind === about) ?? 'calls';
    this.corrected = corrected;
    this.inverted = inverted;
    this.open = panel !== undefined;
    const tab = TABS.find((name) => name === panel);
    if (tab) this.tab = tab;
  }
}
