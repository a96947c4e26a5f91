import type { Nanos } from '../../base/time';
import { timeAt } from '../../base/window';
import { hitAt } from '../../render/hit';
import { bandsOf, lanesOf, rowIndexAt, type TrackRow } from '../../render/layout';
import { xOf } from '../../render/scene';
import type { Model } from '../../state/model';
import type { Picture } from '../timeline/picture';
import type { Anchor } from '../../state/menu';
import { itemsOf, type Spot } from './items';

/** The spot under a press of the right button; undefined where the browser's own menu is more useful. */
export function spotUnder(event: MouseEvent, picture: Picture, scroller: HTMLElement): Spot | undefined {
  const target = event.target as HTMLElement;
  const within = (selector: string) => target.closest<HTMLElement>(selector)?.getBoundingClientRect();
  const { model } = picture;
  if (target.closest('input, select, textarea')) return undefined;
  const map = within('.minimap');
  if (map) return { time: part(model.duration, (event.clientX - map.left) / map.width) };
  const labels = within('.labels');
  if (labels) return spotOfRow(model, event.clientY - labels.top + scroller.scrollTop);
  const time = timeUnder(event, picture);
  if (target.closest('.ruler')) return { time };
  if (!target.closest('.axis')) return undefined;
  const scene = picture.scene();
  const box = picture.rows.getBoundingClientRect();
  const hit = scene && hitAt(scene, event.clientX - box.left, event.clientY - box.top + picture.scrollTop);
  return { ...(hit ? { hit } : {}), time };
}

function part(duration: Nanos, share: number): Nanos {
  return BigInt(Math.round(Number(duration) * Math.min(1, Math.max(0, share))));
}

function timeUnder(event: MouseEvent, { model, rows, width }: Picture): Nanos {
  const x = event.clientX - rows.getBoundingClientRect().left;
  const time = timeAt(model.window, Math.min(1, Math.max(0, x / Math.max(1, width))));
  return time < 0n ? 0n : time > model.duration ? model.duration : time;
}

function spotOfRow({ layout }: Model, y: number): Spot | undefined {
  const row = layout.rows[rowIndexAt(layout.rows, y)];
  return row && y < row.top + row.height ? { hit: { kind: 'row', row } } : undefined;
}

/**
 * The spot of the keyboard: the focused heading or thread, or else the selected call or events, or else the current
 * thread.
 */
export function spotOfKeyboard(picture: Picture, scroller: HTMLElement): { spot: Spot; anchor: Anchor } | undefined {
  const focused = document.activeElement;
  const frame = focused?.closest('.minimap');
  if (frame)
    return { spot: { time: timeAt(picture.model.window, 0.5) }, anchor: middleOf(focused!.getBoundingClientRect()) };
  const labels = focused?.closest('.labels');
  if (labels) {
    const box = focused!.getBoundingClientRect();
    const spot = spotOfRow(picture.model, box.top + 1 - labels.getBoundingClientRect().top + scroller.scrollTop);
    return spot && { spot, anchor: { x: box.left + 40, y: box.top + 24 } };
  }
  return spotOfSelection(picture) ?? spotOfThread(picture);
}

function middleOf(box: DOMRect): Anchor {
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

function spotOfSelection(picture: Picture): { spot: Spot; anchor: Anchor } | undefined {
  const { model } = picture;
  const { call, events } = model;
  const track = call?.track ?? events.place?.track;
  const row = track === undefined ? undefined : model.layout.byTrack.get(track);
  if (!row) return undefined;
  if (events.place) {
    const { from, to } = events.place;
    const kinds = events.answer?.event ?? [];
    const hit = {
      kind: 'mark',
      row,
      count: Math.max(1, kinds.length),
      different: new Set(kinds).size,
      kinds: kinds.slice(0, 1).map((event) => ({ event, times: 1 })),
      begin: from,
      end: to,
    } as const;
    return { spot: { hit, time: from }, anchor: anchorAt(picture, row, from, row.marksBand?.top ?? 0) };
  }
  if (!call) return undefined;
  const { depth, method, flags, begin, end } = call;
  const hit = {
    kind: 'slice',
    row,
    track: call.track,
    depth,
    method,
    calls: 1,
    flags,
    begin,
    end,
    time: begin,
  } as const;
  const lane = lanesOf(row, -Infinity, Infinity).find(
    (each) => each.track === call.track && bandsOf(row, each).some(([at]) => at === depth),
  );
  const band = lane && bandsOf(row, lane).find(([at]) => at === depth)?.[1];
  return {
    spot: { hit, time: begin },
    anchor: anchorAt(picture, row, begin, (band?.top ?? 0) + (band?.height ?? 0) / 2),
  };
}

/** The visible point of the picture that is closest to a place. */
function anchorAt(picture: Picture, row: TrackRow, time: Nanos, down: number): Anchor {
  const box = picture.rows.getBoundingClientRect();
  const scene = picture.scene();
  const x = scene ? Math.min(scene.width - 10, Math.max(10, xOf(scene, time))) : 10;
  const y = Math.min(picture.height - 10, Math.max(10, row.top - picture.scrollTop + down));
  return { x: box.left + x, y: box.top + y };
}

function spotOfThread(picture: Picture): { spot: Spot; anchor: Anchor } | undefined {
  const { layout, current } = picture.model;
  const row = current === undefined ? undefined : layout.byTrack.get(current);
  if (!row) return undefined;
  const { x, y } = anchorAt(picture, row, 0n, 12);
  return { spot: { hit: { kind: 'row', row } }, anchor: { x: x - 200, y } };
}

/** Opens the menu when the right button is pressed in the timeline. */
export function listenToMenus(picture: Picture, timeline: HTMLElement, scroller: HTMLElement): () => void {
  const { model } = picture;
  const { menu } = model;
  const stop = new AbortController();
  const { signal } = stop;
  timeline.addEventListener(
    'contextmenu',
    (event) => {
      const spot = spotUnder(event, picture, scroller);
      if (!spot) return;
      // Hides the tooltip beside the menu.
      picture.pointer = undefined;
      if (menu.open(itemsOf(model, spot), { x: event.clientX, y: event.clientY })) event.preventDefault();
    },
    { signal },
  );
  menu.atKeyboard = () => {
    const found = spotOfKeyboard(picture, scroller);
    return found && { sections: itemsOf(model, found.spot), anchor: found.anchor };
  };
  return () => {
    stop.abort();
    menu.atKeyboard = undefined;
  };
}
