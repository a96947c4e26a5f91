import type { Core } from './core';

/** What the palette offers: everything, or a time to go to. */
export type PaletteMode = 'all' | 'time';

export class PaletteState {
  mode: PaletteMode | undefined;

  constructor(private readonly core: Core) {}

  open(mode: PaletteMode): void {
    this.mode = mode;
    this.core.changedNow();
  }

  close(): void {
    this.mode = undefined;
    this.core.changed();
  }
}
