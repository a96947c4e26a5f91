import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { timeAt } from '../base/window';
import { exact } from '../base/time';
import { PALETTES } from '../render/palette';
import { arrowPlaces, tooMany } from '../render/arrows';
import { paintCursorTime, paintOverlay } from '../render/overlay';
import { paintRuler, rulerOf } from '../render/paint';
import { RowsPainter } from '../render/rows';
import { lanesOf, rowsBetween } from '../render/layout';
import { ownLanes } from '../render/marks';
import { range, resolution, type Scene } from '../render/scene';
import { hitAt } from '../render/hit';
import { Arrange } from './arrange';
import { BookmarksInRuler, BookmarksOverRows } from './bookmark-flags';
import { Filter } from './filter';
import { endOfHit, endOfSelection, frameOfHit, frameOfSelection } from './frames';
import { Gestures } from './gestures';
import { Labels } from './labels';
import { Legend } from './legend';
import { Loading } from './loading';
import { Menu } from './menu/menu';
import { listenToMenus } from './menu/spot';
import { Minimap } from './minimap';
import { listenToRanges, RangeInRuler, RangeOverRows } from './range';
import type { Model } from './model';
import { keepSelected } from './reveal';
import { Tooltip, type Pointed } from './tooltip';

export const RULER_HEIGHT = 40;
/** While the window moves, windows are asked for no more often than this. */
const ASK_EVERY_MS = 70;
/** So long after a movement the pointer tells again what it is on. */
const STILL_MS = 90;
/** Rows beyond the edges that are asked for already. */
const MARGIN = 160;

/** The picture: ruler, names, calls. Owns the canvases and paints them whenever the model changes. */
export class Picture {
  private asked = 0;
  private timer: number | undefined;
  private readonly painter = new RowsPainter();
  private complete = true;
  private painted: Scene | undefined;
  private still: number | undefined;
  pointer: { x: number; y: number } | undefined;
  scrollTop = 0;
  width = 0;
  height = 0;

  constructor(
    readonly model: Model,
    readonly rows: HTMLCanvasElement,
    readonly overlay: HTMLCanvasElement,
    readonly ruler: HTMLCanvasElement,
  ) {}

  scene(): Scene | undefined {
    const { model, width, height, scrollTop } = this;
    const { recording, layout, window, cache, own, methods, highlighted } = model;
    const [steps, arrows, shown] = [model.steps.list, model.arrows.list, model.eventFilter.shown];
    if (!recording || width <= 0) return undefined;
    const palette = PALETTES[model.theme];
    const selected = endOfSelection(model);
    return { recording, layout, window, scrollTop, width, height, palette, cache, own, methods, highlighted, shown, steps, arrows, selected, path: model.path.steps };
  }

  paint(): Scene | undefined {
    const { model } = this;
    const scene = this.scene();
    if (!scene) return undefined;
    this.ask(scene);
    this.notice(scene);
    const { from, to } = range(scene);
    model.arrows.want(from, to);
    model.arrows.crowded(tooMany(arrowPlaces(scene)));
    this.complete = this.painter.paint(this.rows, scene);
    model.depths.look(scene, this.moving);
    if (!this.complete) model.changed();
    return scene;
  }

  /** Paints what follows the pointer; says what it is on. */
  paintPointer(scene: Scene): Pointed['hit'] | undefined {
    const { pointer, model } = this;
    const hit = this.moving ? undefined : pointer && hitAt(scene, pointer.x, pointer.y + this.scrollTop);
    const arrow = hit?.kind === 'arrow' ? hit.arrow : undefined;
    this.overlay.parentElement!.classList.toggle('leads', arrow !== undefined);
    const pointed = { arrow, end: endOfHit(hit) };
    paintOverlay(this.overlay, scene, frameOfHit(hit), frameOfSelection(model), pointer?.x, pointed, model.selection, model.events.place);
    paintRuler(this.ruler, scene, RULER_HEIGHT);
    if (pointer) {
      const time = timeAt(scene.window, pointer.x / scene.width);
      paintCursorTime(this.ruler, scene, pointer.x, time);
    }
    return hit;
  }

  /** While the picture moves, nothing is told about what is under the pointer: nobody could read it. */
  private get moving(): boolean {
    return this.still !== undefined;
  }

  private notice(scene: Scene): void {
    const before = this.painted;
    this.painted = scene;
    if (before === undefined || (before.window === scene.window && before.scrollTop === scene.scrollTop)) return;
    clearTimeout(this.still);
    this.still = window.setTimeout(() => {
      this.still = undefined;
      this.model.changed();
    }, STILL_MS);
  }

  get settled(): boolean {
    const { loader, ownLoader, arrows, animating } = this.model;
    return this.complete && !this.moving && this.timer === undefined && !animating && !loader.busy && !ownLoader.busy && !arrows.busy;
  }

  /** Asks for what is in sight, not at every frame of a movement. */
  private ask(scene: Scene): void {
    const wait = this.asked + ASK_EVERY_MS - performance.now();
    if (wait > 0) {
      this.timer ??= window.setTimeout(() => {
        this.timer = undefined;
        this.model.changed();
      }, wait);
      return;
    }
    this.asked = performance.now();
    const top = scene.scrollTop - MARGIN;
    const bottom = scene.scrollTop + scene.height + MARGIN;
    const rows = rowsBetween(scene.layout.rows, top, bottom).filter((row) => row.kind === 'track');
    const lanes = rows.flatMap((row) => lanesOf(row, top, bottom));
    const { from, to } = range(scene);
    const { duration } = scene.recording;
    const wanted = { from, to, resolution: resolution(scene), duration };
    this.model.loader.want({ ...wanted, lanes });
    this.model.ownLoader.want({ ...wanted, lanes: rows.flatMap(ownLanes) });
  }
}

export function Timeline({ model }: { model: Model }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const ruler = useRef<HTMLCanvasElement>(null);
  const [picture, setPicture] = useState<Picture>();
  const [, again] = useState(0);
  const [pointed, setPointed] = useState<Pointed>();

  useEffect(() => {
    const made = new Picture(model, rows.current!, overlay.current!, ruler.current!);
    const frame = () => {
      const scene = made.paint();
      const hit = scene && made.paintPointer(scene);
      const box = rows.current!.getBoundingClientRect();
      const { pointer } = made;
      setPointed(hit && pointer ? { hit, x: box.left + pointer.x, y: box.top + pointer.y } : undefined);
      again((count) => count + 1);
    };
    const measure = () => {
      const before = made.height;
      made.width = rows.current!.parentElement!.clientWidth;
      made.height = scroller.current!.clientHeight;
      if (made.height < before) keepSelected(scroller.current!, model, before);
      model.changed();
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(rows.current!.parentElement!);
    sizes.observe(scroller.current!);
    const scrolled = () => {
      made.scrollTop = scroller.current!.scrollTop;
      model.scrolling.moved(made.scrollTop);
    };
    scroller.current!.addEventListener('scroll', scrolled, { passive: true });
    const stop = model.subscribe(frame);
    const gestures = new Gestures(made, scroller.current!);
    const stopMenus = listenToMenus(made, scroller.current!.closest<HTMLElement>('.timeline')!, scroller.current!);
    const stopRanges = listenToRanges(model, ruler.current!.parentElement!, rows.current!.parentElement!);
    model.scene = () => made.scene();
    setPicture(made);
    return () => {
      stop();
      gestures.stop();
      stopRanges();
      stopMenus();
      sizes.disconnect();
    };
  }, [model]);

  useEffect(() => keepInSight(scroller.current!, model), [model.current]);

  const { layout: shownLayout, current } = model;
  const [scrollTop, height] = [picture?.scrollTop ?? 0, picture?.height ?? 0];
  // The same element again is not compared again: names stay while the window moves.
  const labels = useMemo(
    () => <Labels model={model} rows={shownLayout.rows} scrollTop={scrollTop} height={height} />,
    [shownLayout, scrollTop, height, current],
  );
  const filter = useMemo(() => <Filter model={model} />, [model]);
  const arrange = useMemo(() => <Arrange model={model} />, [model]);
  const loading = useMemo(() => <Loading model={model} />, [model]);
  const legend = useMemo(() => <Legend model={model} />, [model]);
  const scene = picture?.scene();
  const anchor = scene && rulerOf(scene).anchor;
  return (
    <main class="timeline" aria-label="Timeline" data-settled={picture?.settled ?? false}>
      <div class="over-all">
        {arrange}
        <Minimap model={model} width={picture?.width ?? 0} />
      </div>
      <div class="head">
        {filter}
        <div class="ruler" style={{ width: `${picture?.width ?? 0}px` }}>
          <canvas ref={ruler} aria-hidden="true" />
          <RangeInRuler model={model} scene={scene} />
          <BookmarksInRuler model={model} scene={scene} />
          {anchor !== undefined && anchor > 0n && <span class="anchor">{exact(anchor)} +</span>}
        </div>
      </div>
      <div class="scroller" ref={scroller}>
        <div class="all" style={{ height: `${Math.max(model.layout.height, picture?.height ?? 0)}px` }}>
          <div class="stage" style={{ height: `${picture?.height ?? 0}px` }}>
            {labels}
            <div class="axis">
              <canvas class="rows" ref={rows} role="img" aria-label="Calls of the threads over time" />
              <canvas class="overlay" ref={overlay} aria-hidden="true" />
              <BookmarksOverRows model={model} scene={scene} />
              <RangeOverRows model={model} scene={scene} />
            </div>
            {model.recording && model.layout.shown === 0 && (model.filter !== '' || model.recording.tracks.length === 0) && (
              <p class="empty">
                {model.filter ? 'No thread matches the filter.' : 'Nothing was recorded: no call, no wait, no event. ‘kymo info’ has what the recorder noticed; --include and --exclude say what is to be recorded.'}
              </p>
            )}
          </div>
        </div>
      </div>
      {legend}
      {loading}
      <Tooltip model={model} pointed={pointed} />
      <Menu model={model} />
    </main>
  );
}

/** Pixels of a row that must be seen; of an unfolded thread one may be looking at any part. */
const SEEN = 28;

/** Scrolls so far that the keyboard's thread is seen. */
function keepInSight(scroller: HTMLElement, model: Model): void {
  const row = model.current === undefined ? undefined : model.layout.byTrack.get(model.current);
  if (!row) return;
  const { scrollTop, clientHeight } = scroller;
  const above = row.top + row.height < scrollTop + SEEN;
  const below = row.top + SEEN > scrollTop + clientHeight;
  if (above) scroller.scrollTop = row.top;
  else if (below) scroller.scrollTop = row.top + Math.min(row.height, clientHeight) - clientHeight;
}
