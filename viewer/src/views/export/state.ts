import { LostError, RefusedError } from '../../data/client';
import type { Scope } from '../../data/contract';
import { windowEnd } from '../../base/window';
import type { Model } from '../model';
import { pngOf, svgOf } from './picture';
import { save } from './save';

/** A part of the recording as a recording or as a page; a picture of what is in sight. */
export type Form = 'slice' | 'page' | 'png' | 'svg';
export const PARTS = ['slice', 'page'] as const;

/** The time that a part is cut from. */
export type Span = 'selected' | 'window' | 'whole';

const ENDINGS: Readonly<Record<Form, string>> = { slice: '-part.kymo.zip', page: '-part.html', png: '.png', svg: '.svg' };

/** What is being made into a file, and what became of it. */
export class Exporting {
  span: Span | undefined;
  /** What is being made, and the share that is done. */
  busy: { readonly form: Form; readonly share: number | undefined } | undefined;
  /** That it is there, or why it is not. */
  message = '';
  private abort: AbortController | undefined;

  constructor(private readonly model: Model) {}

  /** Whether parts can be cut: not without a server, nor from what is not on disk. */
  get canCut(): boolean {
    return this.model.recording?.onDisk ?? false;
  }

  /** The selected time is what one means, if there is any. */
  get chosen(): Span {
    const { range } = this.model.selection;
    return this.span === undefined || (this.span === 'selected' && !range) ? (range ? 'selected' : 'window') : this.span;
  }

  choose(span: Span): void {
    this.span = span;
    this.model.changed();
  }

  /** The part that is chosen. */
  get scope(): Scope {
    const { selection, window, duration } = this.model;
    const { range, tracks } = selection;
    const end = windowEnd(window);
    const seen = { from: window.start, to: end < duration ? end : duration };
    const time = this.chosen === 'whole' ? { from: 0n, to: duration } : this.chosen === 'selected' && range ? range : seen;
    return { from: time.from, to: time.to, ...(tracks.size > 0 ? { tracks: [...tracks] } : {}) };
  }

  open(): void {
    document.getElementById('export-menu')?.showPopover();
  }

  /** Makes a file and lets the browser keep it. */
  async make(form: Form): Promise<void> {
    if (this.busy) return;
    this.message = '';
    this.say(form, undefined);
    try {
      const file = await this.file(form);
      const name = (this.model.recording?.name ?? 'kymo').replace(/\.kymo$/, '') + ENDINGS[form];
      if (file) save(file, name);
      this.message = file ? `${name} is there.` : 'Nothing is in sight.';
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof LostError || this.abort?.signal.aborted)) throw error;
      this.message = this.abort?.signal.aborted ? 'Cancelled.' : (error as Error).message;
    } finally {
      this.busy = undefined;
      this.model.changed();
    }
  }

  cancel(): void {
    this.abort?.abort();
  }

  private say(form: Form, share: number | undefined): void {
    this.busy = { form, share };
    this.model.changed();
  }

  private async file(form: Form): Promise<Blob | undefined> {
    if (form === 'png') return pngOf(this.model);
    if (form === 'svg') return svgOf(this.model);
    this.abort = new AbortController();
    return this.model.client.part(form, this.scope, { signal: this.abort.signal, onProgress: (share) => this.say(form, share) });
  }
}
