import { useEffect, useRef } from 'preact/hooks';
import { brief, moment } from '../../base/time';
import { moveEdge, spanOver, type TimeWindow, windowEnd } from '../../base/window';
import { paintMinimap } from '../../render/minimap';
import { PALETTES } from '../../render/palette';
import { BookmarksInMinimap } from './bookmark-flags';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

export const MINIMAP_HEIGHT = 42;
/** A drag shorter than this is a click. */
const CLICK_PIXELS = 4;
/** Movement per press of an arrow key, as a share of the window. */
const STEP = 0.1;

type Part = 'frame' | 'from' | 'to' | 'new';

/** The whole recording: its activity over time, and the current window. */
export function Minimap({ model, width }: { model: Model; width: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const overview = useModel(model, (m) => m.overview.answer);
  const found = useModel(model, (m) => m.search.answer);
  const theme = useModel(model, (m) => m.theme);
  const duration = useModel(model, (m) => m.duration);
  useEffect(() => {
    if (!overview || width <= 0) return;
    const buckets = Number(duration) / Number(overview.width);
    const marks = found && found.width === overview.width ? found.marks : [];
    const { events, lost, counted = [] } = overview;
    paintMinimap(canvas.current!, {
      width,
      height: MINIMAP_HEIGHT,
      palette: PALETTES[theme],
      buckets,
      events,
      lost,
      counted,
      marks,
    });
  }, [overview, found, theme, duration, width]);
  return (
    <div
      class="minimap"
      style={{ width: `${width}px` }}
      onPointerDown={(event) => begin(model, event)}
      onWheel={(event) => zoomAt(model, event)}
    >
      <canvas ref={canvas} role="img" aria-label="Activity over the whole recording" />
      <BookmarksInMinimap model={model} />
      {model.recording && <Frame model={model} />}
    </div>
  );
}

/** The window as a frame; its parts are sliders, for the keyboard and for screen readers. */
function Frame({ model }: { model: Model }) {
  const window = useModel(model, (m) => m.window);
  const [left, right] = shares(model, window);
  const text = `${moment(window.start)} to ${moment(windowEnd(window))}`;
  const slider = (part: Exclude<Part, 'new'>, label: string, at: number) => ({
    role: 'slider' as const,
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.round(at * 100),
    'aria-valuetext': text,
    'data-part': part,
    onKeyDown: (event: KeyboardEvent) => pressed(model, part, event),
  });
  return (
    <>
      <div class="beyond" style={{ left: 0, width: percent(left) }} />
      <div class="beyond" style={{ left: percent(right), right: 0 }} />
      <div
        class="frame"
        style={{ left: percent(left), width: `max(6px, ${percent(right - left)})` }}
        title={`In sight: ${brief(windowEnd(window) - window.start)}`}
        {...slider('frame', 'Window in sight', (left + right) / 2)}
      />
      <div class="edge" style={{ left: percent(left) }} {...slider('from', 'Begin of the window', left)} />
      <div
        class="edge last"
        style={{ left: `min(100% - 6px, max(${percent(right)}, calc(${percent(left)} + 6px)))` }}
        {...slider('to', 'End of the window', right)}
      />
    </>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(4)}%`;
}

function shares(model: Model, window: TimeWindow): [left: number, right: number] {
  const whole = Math.max(1, Number(model.duration));
  const left = (Number(window.start) + window.part) / whole;
  return [Math.min(1, left), Math.min(1, left + window.span / whole)];
}

function pressed(model: Model, part: Part, event: KeyboardEvent): void {
  const by = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0;
  if (by === 0) return;
  event.preventDefault();
  event.stopPropagation();
  if (part === 'frame') model.glidePan(by);
  else model.look(moveEdge(model.window, part === 'from' ? 'from' : 'to', model.window.span * by, model.duration));
}

function zoomAt(model: Model, event: WheelEvent): void {
  event.preventDefault();
  const [left, right] = shares(model, model.window);
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const at = ((event.clientX - box.left) / box.width - left) / Math.max(right - left, 1e-12);
  model.zoom(Math.min(1, Math.max(0, at)), Math.exp(event.deltaY * 0.0022));
}

/** A click goes there. A drag moves the frame or an edge; if the frame covers everything, it draws a new one. */
function begin(model: Model, event: PointerEvent): void {
  if (event.button !== 0) return;
  const map = event.currentTarget as HTMLElement;
  const box = map.getBoundingClientRect();
  const target = event.target as HTMLElement;
  const whole = model.window.span >= Number(model.duration);
  const touched = target.dataset['part'] as Part | undefined;
  const part: Part = touched === undefined || (touched === 'frame' && whole) ? 'new' : touched;
  const edge = part === 'from' || part === 'to' ? part : 'both';
  const start = model.window;
  const perPixel = Number(model.duration) / box.width;
  const share = (x: number) => Math.min(1, Math.max(0, (x - box.left) / box.width));
  let moved = false;
  const move = (next: PointerEvent) => {
    const dx = next.clientX - event.clientX;
    moved ||= Math.abs(dx) >= CLICK_PIXELS;
    if (!moved) return;
    if (part === 'new') model.look(spanOver(share(event.clientX), share(next.clientX), model.duration));
    else model.look(moveEdge(start, edge, dx * perPixel, model.duration));
  };
  const stop = new AbortController();
  const up = (last: PointerEvent) => {
    stop.abort();
    if (!moved && part === 'new' && !whole) centre(model, share(last.clientX));
  };
  map.setPointerCapture(event.pointerId);
  map.addEventListener('pointermove', move, { signal: stop.signal });
  map.addEventListener('pointerup', up, { signal: stop.signal });
  map.addEventListener('pointercancel', () => stop.abort(), { signal: stop.signal });
}

function centre(model: Model, share: number): void {
  model.glide((window) =>
    moveEdge(window, 'both', Number(model.duration) * share - Number(window.start) - window.span / 2, model.duration),
  );
}
