import type { Model } from './model';

/** What may be chosen from: everything, or a time to go to. */
export type PaletteMode = 'all' | 'time';

export class PaletteState {
  mode: PaletteMode | undefined;

  constructor(private readonly model: Model) {}

  open(mode: PaletteMode): void {
    this.mode = mode;
    this.model.changedNow();
  }

  close(): void {
    this.mode = undefined;
    this.model.changed();
  }
}
