import { RefusedError } from '../client';
import { type Recording, withTimes } from '../contract';

/** What is kept: a version that every change raises, so that two windows do not undo each other's. */
interface Kept<T> {
  readonly version: number;
  readonly bookmarks: readonly T[];
}

const NONE = { version: 0, bookmarks: [] };

/** Bookmarks of a page opened from disk: the browser keeps them, for this recording only. */
export class LocalBookmarks {
  private readonly key: string;

  constructor({ name, wallBegin, duration }: Recording) {
    this.key = `kymo.bookmarks ${name} ${wallBegin} ${duration}`;
  }

  read<T>(): Kept<T> {
    try {
      const text = localStorage.getItem(this.key);
      return text === null ? NONE : (JSON.parse(text, withTimes) as Kept<T>);
    } catch {
      return NONE;
    }
  }

  save<T>({ version, bookmarks }: Kept<T>): { saved: boolean; present: Kept<T> } {
    const present = this.read<T>();
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
