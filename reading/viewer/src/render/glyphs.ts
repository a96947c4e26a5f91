import type { Ink, Pixels } from './pixels';

/** A text's shape: how much of each pixel is covered (0 to 255), and where each letter ends. */
interface Mask {
  readonly width: number;
  readonly cover: Uint8Array;
  readonly ends: Float32Array;
}

/** Number of texts kept; the same names come in every frame, but a reader may look at many names in a day. */
const KEPT = 6000;
/** Number of shapes made per frame; the rest waits for the next frame, so that no frame is late. */
const AT_ONCE = 90;
const HEIGHT = 18;

/**
 * Writes texts into pixels. A canvas makes each shape once, because drawing text with it in every frame takes too long.
 */
export class Glyphs {
  private readonly masks = new Map<string, Mask>();
  private readonly height: number;
  private readonly context: CanvasRenderingContext2D;
  private budget = AT_ONCE;
  /** Whether something was left out for lack of time. */
  late = false;

  constructor(
    font: string,
    private readonly ratio: number,
  ) {
    this.height = Math.ceil(HEIGHT * ratio);
    const canvas = document.createElement('canvas');
    canvas.height = this.height;
    canvas.width = 16;
    this.context = canvas.getContext('2d', { willReadFrequently: true })!;
    this.font = font;
  }

  private readonly font: string;

  begin(): void {
    this.budget = AT_ONCE;
    this.late = false;
    if (this.masks.size > KEPT) this.masks.clear();
  }

  /** Device pixels a text takes. */
  width(text: string): number {
    return this.mask(text)?.width ?? Infinity;
  }

  /**
   * Writes a text that begins at `x` with its middle at `y`, visible from `left` on. What does not fit into
   * `room` is cut and ends in an ellipsis; fewer than two letters are left out.
   */
  write(pixels: Pixels, text: string, x: number, y: number, room: number, colour: Ink): void {
    const mask = this.mask(text);
    if (!mask) return;
    const top = Math.round(y - this.height / 2);
    if (mask.width <= room) {
      this.blit(pixels, mask, mask.width, x, top, colour);
      return;
    }
    const dots = this.mask('…');
    if (!dots) return;
    let letters = mask.ends.length;
    while (letters > 0 && mask.ends[letters - 1]! + dots.width > room) letters--;
    if (letters < 2) return;
    const end = Math.round(mask.ends[letters - 1]!);
    this.blit(pixels, mask, end, x, top, colour);
    this.blit(pixels, dots, dots.width, x + end, top, colour);
  }

  private blit(pixels: Pixels, mask: Mask, columns: number, x: number, top: number, colour: Ink): void {
    const { cover, width } = mask;
    const first = Math.max(0, -x);
    const last = Math.min(columns, pixels.width - x);
    const end = Math.min(this.height, pixels.height - top);
    for (let row = Math.max(0, -top); row < end; row++) {
      const from = row * width;
      const to = (top + row) * pixels.width + x;
      for (let column = first; column < last; column++) {
        const share = cover[from + column]!;
        if (share !== 0) pixels.blend(to + column, colour, share);
      }
    }
  }

  private mask(text: string): Mask | undefined {
    const known = this.masks.get(text);
    if (known) return known;
    if (this.budget === 0) {
      this.late = true;
      return undefined;
    }
    this.budget--;
    const made = this.make(text);
    this.masks.set(text, made);
    return made;
  }

  private make(text: string): Mask {
    const { context, ratio, height } = this;
    this.prepare();
    const ends = Float32Array.from(text, (_, i) => context.measureText(text.slice(0, i + 1)).width * ratio);
    const width = Math.max(1, Math.ceil(ends.at(-1) ?? 1));
    if (context.canvas.width < width) {
      context.canvas.width = width * 2;
      this.prepare();
    }
    context.clearRect(0, 0, context.canvas.width, height);
    context.fillText(text, 0, height / 2 / ratio + 0.5);
    const { data } = context.getImageData(0, 0, width, height);
    const cover = new Uint8Array(width * height);
    for (let i = 0; i < cover.length; i++) cover[i] = data[4 * i + 3]!;
    return { width, cover, ends };
  }

  private prepare(): void {
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.context.font = this.font;
    this.context.textBaseline = 'middle';
  }
}
