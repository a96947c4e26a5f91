import { timeAt } from '../../base/window';
import { arrowPlaces, tooMany } from '../../render/arrows';
import { type Hit, hitAt } from '../../render/hit';
import { lanesOf, rowsBetween } from '../../render/layout';
import { ownLanes } from '../../render/marks';
import { paintCursorTime, paintOverlay } from '../../render/overlay';
import { paintRuler } from '../../render/paint';
import { PALETTES } from '../../render/palette';
import { RowsPainter } from '../../render/rows';
import { range, resolution, type Scene } from '../../render/scene';
import type { Model } from '../../state/model';
import { endOfHit, endOfSelection, frameOfHit, frameOfSelection } from './frames';

const RULER_HEIGHT = 40;
/** While the window moves, windows are requested at most this often. */
const ASK_EVERY_MS = 70;
/** How long after a movement the tooltip comes back. */
const STILL_MS = 90;
/** Height outside the edges for which rows are requested in advance, in pixels. */
const MARGIN = 160;

/** The picture of ruler and calls. Owns the canvases and paints them whenever the model changes. */
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
    return {
      recording,
      layout,
      window,
      scrollTop,
      width,
      height,
      palette,
      cache,
      own,
      methods,
      highlighted,
      shown,
      steps,
      arrows,
      selected,
      path: model.path.steps,
    };
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

  /** Paints what follows the pointer; returns what it is on. */
  paintPointer(scene: Scene): Hit | undefined {
    const { pointer, model } = this;
    const hit = this.moving ? undefined : pointer && hitAt(scene, pointer.x, pointer.y + this.scrollTop);
    const arrow = hit?.kind === 'arrow' ? hit.arrow : undefined;
    this.overlay.parentElement!.classList.toggle('leads', arrow !== undefined);
    const pointed = { arrow, end: endOfHit(hit) };
    paintOverlay(
      this.overlay,
      scene,
      frameOfHit(hit),
      frameOfSelection(model),
      pointer?.x,
      pointed,
      model.selection,
      model.events.place,
    );
    paintRuler(this.ruler, scene, RULER_HEIGHT);
    if (pointer) {
      const time = timeAt(scene.window, pointer.x / scene.width);
      paintCursorTime(this.ruler, scene, pointer.x, time);
    }
    return hit;
  }

  /** While the picture moves, there is no tooltip, because nobody could read it. */
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
    return (
      this.complete &&
      !this.moving &&
      this.timer === undefined &&
      !animating &&
      !loader.busy &&
      !ownLoader.busy &&
      !arrows.busy
    );
  }

  /** Requests what is in sight, but not in every frame of a movement. */
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
