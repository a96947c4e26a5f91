import { brief, exact, moment, type Nanos } from '../../base/time';
import { timeAt } from '../../base/window';
import { type Scene, xOf } from '../../render/scene';
import type { Model } from '../../state/model';
import type { Range } from '../../state/selection';

/** A press that moves less than this is a click. */
const CLICK_PIXELS = 4;

type Edge = 'from' | 'to';

/** The selected time in the ruler: how long it is, and handles for its ends. */
export function RangeInRuler({ model, scene }: { model: Model; scene: Scene | undefined }) {
  const { range } = model.selection;
  if (!range || !scene) return null;
  const left = Math.max(0, Math.min(scene.width, xOf(scene, range.from)));
  const right = Math.max(0, Math.min(scene.width, xOf(scene, range.to)));
  if (right <= 0 || left >= scene.width) return null;
  const length = brief(range.to - range.from);
  return (
    <div class="range" style={{ left: `${left}px`, width: `${right - left}px` }}>
      <Handle model={model} range={range} edge="from" />
      <Handle model={model} range={range} edge="to" />
      <button
        class={'range-length' + (right - left < 90 ? ' outside' : '')}
        title={`${moment(range.from)} – ${moment(range.to)}, ${exact(range.to - range.from)}\nClick: show the tables about it. Double-click: zoom to it.`}
        aria-label={`Selected: ${length}; show the tables about it`}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={() => model.panel.show(model.panel.tab)}
        onDblClick={() => model.glide(() => ({ start: range.from, part: 0, span: Number(range.to - range.from) }))}
      >
        {length}
      </button>
    </div>
  );
}

/** The same ends over the rows. */
export function RangeOverRows({ model, scene }: { model: Model; scene: Scene | undefined }) {
  const { range } = model.selection;
  if (!range || !scene) return null;
  return (
    <>
      {(['from', 'to'] as const).map((edge) => {
        const x = xOf(scene, range[edge]);
        return x < 0 || x > scene.width ? null : (
          <div
            key={edge}
            class="range-edge"
            style={{ left: `${x}px` }}
            onPointerDown={(event) => dragEdge(event, model, range, edge)}
          />
        );
      })}
    </>
  );
}

function Handle({ model, range, edge }: { model: Model; range: Range; edge: Edge }) {
  return (
    <div
      class={'range-handle ' + edge}
      role="slider"
      tabIndex={0}
      aria-label={edge === 'from' ? 'Begin of the selected time' : 'End of the selected time'}
      aria-valuemin={0}
      aria-valuemax={Number(model.duration)}
      aria-valuenow={Number(range[edge])}
      aria-valuetext={moment(range[edge])}
      onPointerDown={(event) => dragEdge(event, model, range, edge)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        // A tenth of a percent of the window; with Shift ten times as much.
        const step = BigInt(Math.ceil(model.window.span / (event.shiftKey ? 100 : 1000))) * BigInt(by);
        // Keys may come faster than frames, so read the current range.
        const now = model.selection.range ?? range;
        const moved = inside(model, now[edge] + step);
        if (edge === 'from' ? moved < now.to : moved > now.from) setEdge(model, now, edge, moved);
      }}
    />
  );
}

function setEdge(model: Model, range: Range, edge: Edge, time: Nanos): void {
  model.selection.selectRange(edge === 'from' ? range.to : range.from, time);
}

function inside(model: Model, time: Nanos): Nanos {
  return time < 0n ? 0n : time > model.duration ? model.duration : time;
}

function dragEdge(event: PointerEvent, model: Model, range: Range, edge: Edge): void {
  if (event.button !== 0) return;
  event.preventDefault();
  event.stopPropagation();
  const axis = document.querySelector('.axis')!;
  dragRange(model, axis, edge === 'from' ? range.to : range.from, event);
}

/** Selects the time between a fixed moment and the pointer until the button is released. */
function dragRange(model: Model, axis: Element, fixed: Nanos, pressed: PointerEvent, onClick?: () => void): void {
  const stop = new AbortController();
  const { signal } = stop;
  let moved = false;
  const move = (event: PointerEvent) => {
    if (!moved && Math.abs(event.clientX - pressed.clientX) < CLICK_PIXELS) return;
    moved = true;
    model.selection.selectRange(fixed, momentAt(model, axis, event));
  };
  const end = () => {
    stop.abort();
    if (!moved) onClick?.();
  };
  // On the window, because the pressed handle may be redrawn in the meantime.
  addEventListener('pointermove', move, { signal });
  addEventListener('pointerup', end, { signal });
  addEventListener('pointercancel', end, { signal });
}

function momentAt(model: Model, axis: Element, event: MouseEvent): Nanos {
  const box = axis.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  return inside(model, timeAt(model.window, share));
}

/** Selects time by dragging in the ruler, and in the rows while Shift is held. */
export function listenToRanges(model: Model, ruler: HTMLElement, axis: HTMLElement): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const begin = (event: PointerEvent, onClick?: () => void) => {
    event.preventDefault();
    dragRange(model, axis, momentAt(model, axis, event), event, onClick);
  };
  ruler.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button === 0) begin(event, () => outside(model, axis, event) && model.selection.clearRange());
    },
    { signal },
  );
  axis.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0 || !event.shiftKey) return;
      event.stopPropagation();
      begin(event);
    },
    { signal, capture: true },
  );
  ruler.addEventListener('dblclick', (event) => zoomIfInside(model, axis, event), { signal });
  return () => stop.abort();
}

function outside(model: Model, axis: HTMLElement, event: MouseEvent): boolean {
  const { range } = model.selection;
  const time = momentAt(model, axis, event);
  return range !== undefined && (time < range.from || time > range.to);
}

/** Zooms to the selected time if a double click was on it. */
export function zoomIfInside(model: Model, axis: HTMLElement, event: MouseEvent): void {
  const { range } = model.selection;
  if (!range || outside(model, axis, event)) return;
  model.glide(() => ({ start: range.from, part: 0, span: Number(range.to - range.from) }));
}
