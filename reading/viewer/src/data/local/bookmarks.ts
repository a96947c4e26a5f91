import { RefusedError } from '../client';
import { type BookmarksAnswer, type Recording, withTimes } from '../contract';

const NONE: BookmarksAnswer = { version: 0, bookmarks: [] };

/** Bookmarks of a page opened from disk: the browser keeps them, for this recording only. */
export class LocalBookmarks {
  private readonly key: string;

  constructor({ name, wallBegin, duration }: Recording) {
    this.key = `kymo.bookmarks ${name} ${wallBegin} ${duration}`;
  }

  read(): BookmarksAnswer {
    try {
      const text = localStorage.getItem(this.key);
      return text === null ? NONE : (JSON.parse(text, withTimes) as BookmarksAnswer);
    } catch {
      return NONE;
    }
  }

  /** A version raised by every change keeps two windows from undoing each other's. */
  save({ version, bookmarks }: BookmarksAnswer): { saved: boolean; present: BookmarksAnswer } {
    const present = this.read();
    if (present.version !== version) return { saved: false, present };
    const next = { version: version + 1, bookmarks };
    try {
      const text = JSON.stringify(next, (_, value) => (typeof value === 'bigint' ? String(value) : (value as unknown)));
      localStorage.setItem(this.key, text);
    } catch {
      throw new RefusedError('This browser keeps nothing for this page: bookmarks last until it is closed.');
    }
    return { saved: true, present: next };
  }
}
