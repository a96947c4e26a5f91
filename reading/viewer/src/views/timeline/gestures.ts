import { hitAt } from '../../render/hit';
import { zoomIfInside } from './range';
import type { Picture } from './picture';

/** A press that moves less than this is a click. */
const CLICK_PIXELS = 4;
/** A notch of a mouse wheel zooms by about a quarter. */
const ZOOM_PER_PIXEL = 0.0022;
const LINE_PIXELS = 24;

/** Wheel, drag and click on the picture. */
export class Gestures {
  private readonly stopped = new AbortController();
  private drag: { x: number; y: number; moved: boolean } | undefined;

  constructor(
    private readonly picture: Picture,
    private readonly scroller: HTMLElement,
  ) {
    const canvas = picture.rows.parentElement!;
    const { signal } = this.stopped;
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false, signal });
    canvas.addEventListener('pointerdown', (event) => this.press(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.move(event), { signal });
    canvas.addEventListener('pointerup', (event) => this.release(event), { signal });
    canvas.addEventListener('pointercancel', () => (this.drag = undefined), { signal });
    canvas.addEventListener('pointerleave', () => this.leave(), { signal });
    canvas.addEventListener('dblclick', (event) => this.doubleClick(event), { signal });
    picture.ruler.addEventListener('wheel', (event) => this.wheel(event), { passive: false, signal });
  }

  stop(): void {
    this.stopped.abort();
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { model, width } = this.picture;
    const unit = event.deltaMode === 1 ? LINE_PIXELS : 1;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      model.pan((Math.abs(dx) > Math.abs(dy) ? dx : dy) / width);
    } else {
      // A pinch on a trackpad arrives as a wheel with the control key and small steps.
      const strength = event.ctrlKey ? ZOOM_PER_PIXEL * 5 : ZOOM_PER_PIXEL;
      model.zoom(this.at(event).x / width, Math.exp(dy * strength));
    }
    this.follow(event);
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.drag = { x: event.clientX, y: event.clientY, moved: false };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const { drag, picture } = this;
    if (drag) {
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.moved && Math.hypot(dx, dy) < CLICK_PIXELS) return;
      this.drag = { x: event.clientX, y: event.clientY, moved: true };
      picture.model.pan(-dx / picture.width);
      this.scroller.scrollTop -= dy;
      picture.overlay.parentElement!.classList.add('dragged');
    }
    this.follow(event);
  }

  private release(event: PointerEvent): void {
    const { drag, picture } = this;
    this.drag = undefined;
    picture.overlay.parentElement!.classList.remove('dragged');
    if (!drag || drag.moved) return;
    const hit = this.hit(event);
    const { model } = picture;
    if (hit?.kind === 'slice') {
      model.select({ track: hit.track, depth: hit.depth, time: hit.time });
    } else if (hit?.kind === 'arrow') {
      model.arrows.go(hit.arrow, hit.leads);
    } else if (hit?.kind === 'mark') {
      model.selectEvents({ track: hit.row.track.id, from: hit.begin, to: hit.end });
    } else if (hit?.kind === 'counter') {
      model.select(undefined);
      model.selection.mark(model.selection.method === hit.counter.event ? undefined : hit.counter.event);
    } else if (hit?.kind === 'steps') {
      model.selection.mark(hit.steps[0]!.method);
    } else if (hit?.kind === 'crowd') {
      model.order.toggleCrowd(hit.row.crowd.key);
    } else {
      model.select(undefined);
      if (hit?.row.kind === 'track') model.current = hit.row.track.id;
    }
  }

  private doubleClick(event: MouseEvent): void {
    const hit = this.hit(event);
    if (
      hit?.kind === 'slice' ||
      hit?.kind === 'gap' ||
      hit?.kind === 'counts' ||
      (hit?.kind === 'mark' && hit.count > 1)
    ) {
      this.picture.model.showInterval(hit.begin, hit.end);
    } else {
      zoomIfInside(this.picture.model, this.picture.rows.parentElement!, event);
    }
  }

  private leave(): void {
    this.picture.pointer = undefined;
    this.picture.model.changed();
  }

  private follow(event: MouseEvent): void {
    this.picture.pointer = this.at(event);
    this.picture.model.changed();
  }

  private hit(event: MouseEvent) {
    const scene = this.picture.scene();
    const { x, y } = this.at(event);
    return scene && hitAt(scene, x, y + this.picture.scrollTop);
  }

  private at(event: MouseEvent): { x: number; y: number } {
    const box = this.picture.rows.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}
