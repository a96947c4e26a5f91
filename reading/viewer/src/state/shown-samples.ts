import type { Address } from '../base/address';
import type { Recording, SampleKind } from '../data/contract';

const NONE: readonly SampleKind[] = [];

/** Whether the flame graph shows samples instead of calls, of which kinds, and how wide they are. */
export class ShownSamples {
  /** What was chosen; undefined: what suits the recording. */
  private chosen: 'calls' | 'samples' | undefined;
  private names: readonly string[] = [];
  private weighed = '';

  constructor(
    private readonly recording: () => Recording | undefined,
    private readonly changed: () => void,
  ) {}

  /** All kinds that the recording has. */
  get offered(): readonly SampleKind[] {
    return this.recording()?.samples?.kinds ?? NONE;
  }

  /** Whether there is a choice between calls and samples. */
  get choice(): boolean {
    return this.offered.length > 0 && (this.recording()?.tracks.some((track) => track.calls > 0) ?? false);
  }

  get on(): boolean {
    const samples = this.recording()?.samples;
    if (!samples) return false;
    return this.choice && this.chosen ? this.chosen === 'samples' : samples.first;
  }

  show(what: 'calls' | 'samples'): void {
    this.chosen = what;
    this.changed();
  }

  /** The kinds that are shown, by name; by default the first. */
  get kinds(): readonly string[] {
    const names = this.offered.map((kind) => kind.name);
    const known = names.filter((name) => this.names.includes(name));
    return known.length > 0 ? known : names.slice(0, 1);
  }

  /** Adds a kind or takes it away; one remains. */
  toggle(name: string): void {
    const shown = this.kinds;
    this.names = shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name];
    this.changed();
  }

  /** What the chosen kinds can be weighed by. */
  get units(): readonly string[] {
    const shown = this.kinds;
    return [...new Set(this.offered.filter(({ name }) => shown.includes(name)).flatMap(({ units }) => units))];
  }

  /** What they are weighed by; empty: each counts one. */
  get unit(): string {
    return this.units.includes(this.weighed) ? this.weighed : '';
  }

  weigh(unit: string): void {
    this.weighed = unit;
    this.changed();
  }

  address(): Pick<Address, 'flame' | 'samples' | 'unit'> {
    return {
      ...(this.chosen ? { flame: this.chosen } : {}),
      ...(this.names.length > 0 ? { samples: this.kinds } : {}),
      ...(this.unit === '' ? {} : { unit: this.unit }),
    };
  }

  apply({ flame, samples = [], unit = '' }: Address): void {
    this.chosen = flame;
    this.names = samples;
    this.weighed = unit;
  }
}
