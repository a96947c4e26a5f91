import { moment } from '../../base/time';
import type { Bookmark } from '../../data/contract';
import { type Scene, xOf } from '../../render/scene';
import { COLOURS } from '../../state/bookmarks';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

export function colourClass(bookmark: Bookmark): string {
  return `bookmark-${COLOURS[bookmark.colour % COLOURS.length]}`;
}

function when({ from, to }: Bookmark): string {
  return from === to ? moment(from) : `${moment(from)} to ${moment(to)}`;
}

/** Flags in the ruler; a click goes there. */
export function BookmarksInRuler({ model, scene }: { model: Model; scene: Scene | undefined }) {
  const list = useModel(model, (m) => m.bookmarks.list);
  if (!scene) return null;
  return (
    <>
      {inSight(scene, list).map(([bookmark, left]) => (
        <button
          key={bookmark.id}
          class={`flag ${colourClass(bookmark)}`}
          style={{ left: `${Math.max(0, left)}px` }}
          title={`${bookmark.text || 'Bookmark'}\n${when(bookmark)}`}
          aria-label={`Bookmark ${bookmark.text || when(bookmark)}`}
          // The ruler selects a time range by dragging.
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => model.bookmarks.jump(bookmark)}
        >
          {bookmark.text || '⚑'}
        </button>
      ))}
    </>
  );
}

/** Lines and tinted intervals over the rows. */
export function BookmarksOverRows({ model, scene }: { model: Model; scene: Scene | undefined }) {
  const list = useModel(model, (m) => m.bookmarks.list);
  if (!scene) return null;
  return (
    <>
      {inSight(scene, list).map(([bookmark, left, right]) => (
        <div
          key={bookmark.id}
          class={`bookmark-over ${colourClass(bookmark)}`}
          style={{ left: `${left}px`, width: `${Math.max(1, right - left)}px`, ...rowOf(scene, bookmark) }}
        />
      ))}
    </>
  );
}

/** A bookmark of a thread marks only its row. */
function rowOf(scene: Scene, { track }: Bookmark): { top?: string; height?: string } {
  if (track === undefined) return {};
  const row = scene.layout.rows.find((r) => r.kind === 'track' && r.track.id === track);
  if (!row) return { height: '0' };
  return { top: `${row.top - scene.scrollTop}px`, height: `${row.height}px` };
}

function inSight(
  scene: Scene,
  list: readonly Bookmark[],
): Array<readonly [bookmark: Bookmark, left: number, right: number]> {
  return list.flatMap((bookmark) => {
    const left = Math.max(-2, xOf(scene, bookmark.from));
    const right = Math.min(scene.width + 2, xOf(scene, bookmark.to));
    return right < 0 || left > scene.width ? [] : [[bookmark, left, right] as const];
  });
}

export function BookmarksInMinimap({ model }: { model: Model }) {
  const list = useModel(model, (m) => m.bookmarks.list);
  const whole = Number(model.duration) || 1;
  return (
    <>
      {list.map((bookmark) => (
        <i
          key={bookmark.id}
          class={`in-minimap ${colourClass(bookmark)}`}
          style={{
            left: `${(Number(bookmark.from) / whole) * 100}%`,
            width: `max(3px, ${(Number(bookmark.to - bookmark.from) / whole) * 100}%)`,
          }}
        />
      ))}
    </>
  );
}
