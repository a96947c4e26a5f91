import { LostError, RefusedError } from '../data/client';
import type { Bookmark, BookmarksAnswer } from '../data/contract';
import { timeAt } from '../base/window';
import type { Core } from './core';

export const COLOURS = ['blue', 'green', 'orange', 'red', 'purple', 'grey'] as const;
/** Others may change the same bookmarks at the same time, but not again and again. */
const TRIES = 4;

type Change = (bookmarks: readonly Bookmark[]) => readonly Bookmark[];

/** Bookmarks and notes, kept beside the recording. */
export class Bookmarks {
  list: readonly Bookmark[] = [];
  /** Whether the list of them is shown. */
  shown = false;
  /** The bookmark whose text the reader types next. */
  fresh: string | undefined;
  problem = '';
  private version = 0;
  private kept: readonly Bookmark[] = [];
  /** Changes that the server does not have yet, in the order in which they were made. */
  private readonly pending: Change[] = [];
  private saving = false;

  constructor(private readonly core: Core) {}

  async load(): Promise<void> {
    try {
      this.take(await this.core.client.bookmarks());
    } catch (error) {
      this.problem = said(error);
    }
    this.core.changed();
  }

  toggleList(): void {
    this.shown = !this.shown;
    this.core.changed();
  }

  /** Bookmarks the selected time range, or else the selected call, or else the middle of the window. */
  addHere(): void {
    const { selection, call, window } = this.core;
    const middle = timeAt(window, 0.5);
    if (selection.range) this.add(selection.range);
    else if (call) this.add({ from: call.begin, to: call.end, track: call.track });
    else this.add({ from: middle, to: middle });
  }

  add(where: Pick<Bookmark, 'from' | 'to' | 'track'>): void {
    const id = crypto.randomUUID();
    this.shown = true;
    this.fresh = id;
    this.change((list) => [...list, { ...where, id, text: '', colour: 0 }]);
  }

  edit(id: string, part: Partial<Pick<Bookmark, 'text' | 'colour'>>): void {
    this.change((list) => list.map((bookmark) => (bookmark.id === id ? { ...bookmark, ...part } : bookmark)));
  }

  remove(id: string): void {
    this.change((list) => list.filter((bookmark) => bookmark.id !== id));
  }

  jump(bookmark: Bookmark): void {
    const { core } = this;
    if (bookmark.track !== undefined) {
      core.showTrack(bookmark.track);
      core.current = bookmark.track;
    }
    if (bookmark.to > bookmark.from) core.showInterval(bookmark.from, bookmark.to);
    else core.goTo(bookmark.from);
    core.changed();
  }

  /** Shows the change at once and saves it. */
  private change(change: Change): void {
    this.pending.push(change);
    this.show();
    void this.save();
  }

  private show(): void {
    this.list = sorted(this.pending.reduce((list, change) => change(list), this.kept));
    this.core.changed();
  }

  /**
   * Saves all changes made so far. If somebody else has saved first, the same changes are made
   * to the newer bookmarks. Unsaved changes stay on the page, and are saved with the next one.
   */
  private async save(): Promise<void> {
    if (this.saving) return;
    this.saving = true;
    this.problem = '';
    try {
      for (let tries = 0; this.pending.length > 0 && tries < TRIES; tries++) {
        const count = this.pending.length;
        const { saved, present } = await this.core.client.saveBookmarks({
          version: this.version,
          bookmarks: this.list,
        });
        this.version = present.version;
        this.kept = present.bookmarks;
        if (saved) {
          this.pending.splice(0, count);
          tries = -1;
        }
        this.show();
      }
      if (this.pending.length > 0)
        this.problem = 'Somebody else keeps changing these bookmarks; the last change is not saved yet.';
    } catch (error) {
      this.problem = said(error);
    } finally {
      this.saving = false;
      this.core.changed();
    }
  }

  private take({ version, bookmarks, damaged = '' }: BookmarksAnswer): void {
    this.version = version;
    this.kept = bookmarks;
    this.show();
    this.problem = damaged;
  }
}

function sorted(bookmarks: readonly Bookmark[]): readonly Bookmark[] {
  return [...bookmarks].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
}

function said(error: unknown): string {
  if (error instanceof RefusedError) return `Bookmarks are not saved: ${error.message}`;
  if (error instanceof LostError) return 'Bookmarks are not saved: the server does not answer.';
  throw error;
}
