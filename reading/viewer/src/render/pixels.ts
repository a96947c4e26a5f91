import type { Rgb } from '../base/colours';

/** A colour as it lies in an `ImageData` on a little-endian machine: alpha, blue, green, red. */
export type Ink = number;

export function ink(rgb: Rgb, alpha = 1): Ink {
  return ((Math.round(alpha * 255) << 24) | (rgb[2] << 16) | (rgb[1] << 8) | rgb[0]) >>> 0;
}

/** From `#rrggbb`. */
export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/**
 * The picture's pixels, written one by one: thousands of rectangles a frame are many calls of the
 * canvas, but little memory. Coordinates are whole device pixels; everything outside is cut off.
 */
export class Pixels {
  width = 0;
  height = 0;
  data = new Uint32Array(0);
  private image: ImageData | undefined;

  /** Sets the size; old pixels stay until they are overwritten. */
  fit(width: number, height: number): void {
    if (this.width === width && this.height === height && this.image) return;
    this.width = width;
    this.height = height;
    this.image = new ImageData(Math.max(1, width), Math.max(1, height));
    this.data = new Uint32Array(this.image.data.buffer);
  }

  /** A line from `left` to `right`, exclusive. */
  line(y: number, left: number, right: number, colour: Ink): void {
    const row = y * this.width;
    this.data.fill(colour, row + Math.max(0, left), row + Math.max(0, Math.min(this.width, right)));
  }

  fill(left: number, top: number, right: number, bottom: number, colour: Ink): void {
    const end = Math.min(this.height, bottom);
    for (let y = Math.max(0, top); y < end; y++) this.line(y, left, right, colour);
  }

  /** Copies one line to the following ones. */
  repeat(y: number, bottom: number): void {
    const from = y * this.width;
    const end = Math.min(this.height, bottom);
    for (let next = y + 1; next < end; next++) {
      this.data.copyWithin(next * this.width, from, from + this.width);
    }
  }

  /** Mixes a colour into an opaque pixel; `share` is 0 to 255. */
  blend(index: number, colour: Ink, share: number): void {
    const under = this.data[index]!;
    const rest = 255 - share;
    const red = ((under & 255) * rest + (colour & 255) * share) / 255;
    const green = (((under >> 8) & 255) * rest + ((colour >> 8) & 255) * share) / 255;
    const blue = (((under >> 16) & 255) * rest + ((colour >> 16) & 255) * share) / 255;
    this.data[index] = 0xff000000 | (blue << 16) | (green << 8) | red;
  }

  put(context: CanvasRenderingContext2D): void {
    if (this.image) context.putImageData(this.image, 0, 0);
  }
}
