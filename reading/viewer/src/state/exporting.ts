import { save } from '../base/save';
import { windowEnd } from '../base/window';
import { LostError, RefusedError } from '../data/client';
import type { Scope } from '../data/contract';
import type { Core } from './core';

/** The form of a file: a part of the recording as a recording or page, or a picture of what is in sight. */
export type Form = 'slice' | 'page' | PictureForm;
export type PictureForm = 'png' | 'svg';

/** The time that a part is cut from. */
export type Span = 'selected' | 'window' | 'whole';

const ENDINGS: Readonly<Record<Form, string>> = {
  slice: '-part.kymo.zip',
  page: '-part.html',
  png: '.png',
  svg: '.svg',
};

/** Exports files, and reports their progress and result. */
export class Exporting {
  span: Span | undefined;
  /** The file in progress, and the share that is done. */
  busy: { readonly form: Form; readonly share: number | undefined } | undefined;
  /** The result: the name of the file, or why there is none. */
  message = '';
  private abort: AbortController | undefined;

  constructor(private readonly core: Core) {}

  /** Whether parts can be cut out: that needs a server and a recording on disk. */
  get canCut(): boolean {
    return this.core.recording?.onDisk ?? false;
  }

  /** The chosen time span; the selected time by default, if there is any. */
  get chosen(): Span {
    const { range } = this.core.selection;
    return this.span === undefined || (this.span === 'selected' && !range)
      ? range
        ? 'selected'
        : 'window'
      : this.span;
  }

  choose(span: Span): void {
    this.span = span;
    this.core.changed();
  }

  /** The part that is chosen. */
  get scope(): Scope {
    const { selection, window, duration } = this.core;
    const { range, tracks } = selection;
    const end = windowEnd(window);
    const seen = { from: window.start, to: end < duration ? end : duration };
    const time =
      this.chosen === 'whole' ? { from: 0n, to: duration } : this.chosen === 'selected' && range ? range : seen;
    return { from: time.from, to: time.to, ...(tracks.size > 0 ? { tracks: [...tracks] } : {}) };
  }

  open(): void {
    document.getElementById('export-menu')?.showPopover();
  }

  /** Makes a file and lets the browser keep it; `draw` makes the pictures. */
  async make(form: Form, draw: (form: PictureForm) => Promise<Blob | undefined>): Promise<void> {
    if (this.busy) return;
    this.message = '';
    this.say(form, undefined);
    try {
      const file = await (form === 'png' || form === 'svg' ? draw(form) : this.part(form));
      const name = (this.core.recording?.name ?? 'kymo').replace(/\.kymo$/, '') + ENDINGS[form];
      if (file) save(file, name);
      this.message = file ? `${name} is there.` : 'Nothing is in sight.';
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof LostError || this.abort?.signal.aborted)) throw error;
      this.message = this.abort?.signal.aborted ? 'Cancelled.' : (error as Error).message;
    } finally {
      this.busy = undefined;
      this.core.changed();
    }
  }

  cancel(): void {
    this.abort?.abort();
  }

  private say(form: Form, share: number | undefined): void {
    this.busy = { form, share };
    this.core.changed();
  }

  private async part(form: 'slice' | 'page'): Promise<Blob> {
    this.abort = new AbortController();
    return this.core.client.part(form, this.scope, {
      signal: this.abort.signal,
      onProgress: (share) => this.say(form, share),
    });
  }
}
