import { useEffect, useRef, useState } from 'preact/hooks';
import { brief, moment } from '../base/time';
import type { Bookmark } from '../data/contract';
import { colourClass } from './timeline/bookmark-flags';
import { COLOURS } from '../state/bookmarks';
import { Icon } from './parts/icons';
import type { Model } from '../state/model';
import { useModel } from './parts/use';

/** All bookmarks, to go to, to change and to delete. */
export function BookmarkList({ model }: { model: Model }) {
  const shown = useModel(model, (m) => m.bookmarks.shown);
  const list = useModel(model, (m) => m.bookmarks.list);
  const problem = useModel(model, (m) => m.bookmarks.problem);
  if (!shown) return null;
  return (
    <aside class="bookmarks" aria-label="Bookmarks">
      <header>
        <h2>Bookmarks</h2>
        <button
          class="plain"
          title="Close (Shift B)"
          aria-label="Close the bookmarks"
          onClick={() => model.bookmarks.toggleList()}
        >
          <Icon name="close" />
        </button>
      </header>
      {problem && (
        <p class="warn" role="alert">
          {problem}
        </p>
      )}
      {list.length === 0 && (
        <p class="nothing">None yet. Press B to keep the selected range or call, or the moment in the middle.</p>
      )}
      <ul>
        {list.map((bookmark) => (
          <Line key={bookmark.id} model={model} bookmark={bookmark} />
        ))}
      </ul>
    </aside>
  );
}

function Line({ model, bookmark }: { model: Model; bookmark: Bookmark }) {
  const { bookmarks } = model;
  const input = useRef<HTMLInputElement>(null);
  const { id, from, to, text, track } = bookmark;
  // The stored text may change while the reader types.
  const [typed, setTyped] = useState<string>();
  useEffect(() => {
    if (bookmarks.fresh !== id) return;
    bookmarks.fresh = undefined;
    input.current?.focus();
  }, []);
  const thread = track === undefined ? undefined : model.recording?.tracks[track]?.name;
  return (
    <li class={colourClass(bookmark)}>
      <input
        ref={input}
        type="text"
        value={typed ?? text}
        maxLength={2000}
        placeholder="What is here?"
        aria-label="Text of the bookmark"
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => {
          bookmarks.edit(id, { text: event.currentTarget.value });
          setTyped(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <select
        aria-label="Colour of the bookmark"
        value={String(bookmark.colour % COLOURS.length)}
        onChange={(event) => bookmarks.edit(id, { colour: Number(event.currentTarget.value) })}
      >
        {COLOURS.map((name, colour) => (
          <option value={String(colour)}>{name}</option>
        ))}
      </select>
      <button class="plain" title="Delete" aria-label={`Delete bookmark ${text}`} onClick={() => bookmarks.remove(id)}>
        <Icon name="close" />
      </button>
      <button class="jump" onClick={() => bookmarks.jump(bookmark)}>
        {moment(from)}
        {to > from && <small> for {brief(to - from)}</small>}
        {thread && <small> on {thread}</small>}
      </button>
    </li>
  );
}
