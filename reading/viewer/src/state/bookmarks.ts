import { LostError, RefusedError } from '../data/client';
import type { Bookmark, BookmarksAnswer } from '../data/contract';
import { timeAt } from '../base/window';
import type { Model } from './model';

export const COLOURS = ['blue', 'green', 'orange', 'red', 'purple', 'grey'] as const;
/** Others may change the same bookmarks meanwhile, but not again and again. */
const TRIES = 4;

type Change = (bookmarks: readonly Bookmark[]) => readonly Bookmark[];

/** Bookmarks and notes, kept beside the recording. */
export class Bookmarks {
  list: readonly Bookmark[] = [];
  /** Whether the list of them is shown. */
  shown = false;
  /** The one whose text is to be typed. */
  fresh: string | undefined;
  problem = '';
  private version = 0;
  private kept: readonly Bookmark[] = [];
  /** Changes that the server does not have yet, in the order in which they were made. */
  private readonly pending: Change[] = [];
  private saving = false;

  constructor(private readonly model: Model) {}

  async load(): Promise<void> {
    try {
      this.take(await this.model.client.bookmarks());
    } catch (error) {
      this.problem = said(error);
    }
    this.model.changed();
  }

  toggleList(): void {
    this.shown = !this.shown;
    this.model.changed();
  }

  /** Keeps the selected time range, else the selected call, else the middle of the window. */
  addHere(): void {
    const { selection, call, window } = this.model;
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
    const { model } = this;
    if (bookmark.track !== undefined) {
      model.showTrack(bookmark.track);
      model.current = bookmark.track;
    }
    if (bookmark.to > bookmark.from) model.showInterval(bookmark.from, bookmark.to);
    else model.goTo(bookmark.from);
    model.changed();
  }

  /** Shows the change at once and saves it. */
  private change(change: Change): void {
    this.pending.push(change);
    this.show();
    void this.save();
  }

  private show(): void {
    this.list = sorted(this.pending.reduce((list, change) => change(list), this.kept));
    this.model.changed();
  }

  /**
   * Saves all changes made so far. If somebody else has saved meanwhile, the same changes are made
   * to what they saved. What cannot be saved stays on the page, and is tried again with the next.
   */
  private async save(): Promise<void> {
    if (this.saving) return;
    this.saving = true;
    this.problem = '';
    try {
      for (let tries = 0; this.pending.length > 0 && tries < TRIES; tries++) {
        const count = this.pending.length;
        const { saved, present } = await this.model.client.saveBookmarks({ version: this.version, bookmarks: this.list });
        this.version = present.version;
        this.kept = present.bookmarks;
        if (saved) {
          this.pending.splice(0, count);
          tries = -1;
        }
        this.show();
      }
      if (this.pending.length > 0) this.problem = 'Somebody else changes these bookmarks all the time; the last change is not saved yet.';
    } catch (error) {
      this.problem = said(error);
    } finally {
      this.saving = false;
      this.model.changed();
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
