import { fitted, type Pen } from './pen';
import type { Palette } from './palette';
import type { Ink, Pixels } from './pixels';
import type { Writer } from './slices';

/** More digits of coordinates would not be visible. */
function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function colourOf(colour: Ink): string {
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  const share = (colour >>> 24) / 255;
  const fill = `fill="#${hex(colour & 255)}${hex((colour >> 8) & 255)}${hex((colour >> 16) & 255)}"`;
  return share < 1 ? `${fill} fill-opacity="${short(share)}"` : fill;
}

/** Pixels as areas, one path per colour: runs of one colour on successive lines become one rectangle. */
export function areasOf({ width, height, data }: Pixels): string {
  const paths = new Map<Ink, string[]>();
  /** Where an area of the line above begins: its end, its colour, and its first line. */
  let above = new Map<number, readonly [end: number, colour: Ink, top: number]>();
  const close = (left: number, [end, colour, top]: readonly [number, Ink, number], bottom: number) => {
    let path = paths.get(colour);
    if (!path) paths.set(colour, (path = []));
    path.push(`M${left} ${top}H${end}V${bottom}H${left}Z`);
  };
  for (let y = 0; y < height; y++) {
    const here = new Map<number, readonly [number, Ink, number]>();
    for (let x = 0; x < width;) {
      const colour = data[y * width + x]!;
      const left = x;
      while (x < width && data[y * width + x] === colour) x++;
      if (colour >>> 24 === 0) continue;
      const same = above.get(left);
      here.set(left, same && same[0] === x && same[1] === colour ? same : [x, colour, y]);
    }
    for (const [left, area] of above) if (here.get(left) !== area) close(left, area, y);
    above = here;
  }
  for (const [left, area] of above) close(left, area, height);
  return [...paths].map(([colour, path]) => `<path ${colourOf(colour)} d="${path.join('')}"/>`).join('\n');
}

/** Texts of the rows, kept as texts. */
export class TextWriter implements Writer {
  readonly late = false;
  private readonly texts: string[] = [];

  constructor(
    private readonly measure: CanvasRenderingContext2D,
    private readonly ratio: number,
  ) {}

  begin(): void {
    this.texts.length = 0;
  }

  width(text: string): number {
    return Math.ceil(this.measure.measureText(text).width * this.ratio);
  }

  write(_pixels: Pixels, text: string, x: number, y: number, room: number, colour: Ink): void {
    const part = room === Infinity ? text : fitted(this.measure, text, room / this.ratio);
    if (part.trim() === '') return;
    this.texts.push(
      `<text x="${short(x / this.ratio)}" y="${short(y / this.ratio)}" ${colourOf(colour)}>${escaped(part)}</text>`,
    );
  }

  toString(): string {
    return this.texts.join('\n');
  }
}

/** Draws lines, areas and texts as elements of an SVG. */
export class SvgPen implements Pen {
  fillStyle: Pen['fillStyle'] = '#000';
  strokeStyle: Pen['strokeStyle'] = '#000';
  lineWidth = 1;
  globalAlpha = 1;
  font: string;
  private path = '';
  private readonly parts: string[] = [];

  constructor(private readonly measure: CanvasRenderingContext2D) {
    this.font = measure.font;
  }

  private paint(kind: 'fill' | 'stroke'): string {
    const style = String(kind === 'fill' ? this.fillStyle : this.strokeStyle);
    const alpha = this.globalAlpha < 1 ? ` ${kind}-opacity="${short(this.globalAlpha)}"` : '';
    return kind === 'fill'
      ? `fill="${style}"${alpha}`
      : `fill="none" stroke="${style}" stroke-width="${short(this.lineWidth)}"${alpha}`;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.parts.push(`<rect ${box(x, y, width, height)} ${this.paint('fill')}/>`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.parts.push(`<rect ${box(x, y, width, height)} ${this.paint('stroke')}/>`);
  }

  beginPath(): void {
    this.path = '';
  }

  moveTo(x: number, y: number): void {
    this.path += `M${short(x)} ${short(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `L${short(x)} ${short(y)}`;
  }

  /** Whole circles only: the picture has no arcs. */
  arc(x: number, y: number, radius: number): void {
    const r = short(radius);
    this.path += `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${short(2 * radius)} 0a${r} ${r} 0 1 0 ${short(-2 * radius)} 0`;
  }

  roundRect(x: number, y: number, width: number, height: number): void {
    this.path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
  }

  fill(): void {
    this.parts.push(`<path ${this.paint('fill')} d="${this.path}"/>`);
  }

  stroke(): void {
    this.parts.push(`<path ${this.paint('stroke')} d="${this.path}"/>`);
  }

  fillText(text: string, x: number, y: number): void {
    const bold = this.font.startsWith('600') ? ' font-weight="600"' : '';
    this.parts.push(`<text x="${short(x)}" y="${short(y)}" ${this.paint('fill')}${bold}>${escaped(text)}</text>`);
  }

  measureText(text: string): { readonly width: number } {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }

  hatch(palette: Palette): string {
    const pattern =
      `<pattern id="loss" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="${palette.lossGround}"/>` +
      `<path d="M-1 1L1 -1M-1 9L9 -1M7 9L9 7" stroke="${palette.loss}" stroke-width="1.6"/></pattern>`;
    if (!this.parts.includes(pattern)) this.parts.unshift(pattern);
    return 'url(#loss)';
  }

  /** What was drawn is moved and cut to a rectangle. */
  within(x: number, y: number, width: number, height: number, content: string): void {
    const id = `part${this.parts.length}`;
    this.parts.push(
      `<clipPath id="${id}"><rect width="${short(width)}" height="${short(height)}"/></clipPath>`,
      `<g transform="translate(${short(x)} ${short(y)})" clip-path="url(#${id})">${content}</g>`,
    );
  }

  toString(): string {
    return this.parts.join('\n');
  }
}

function box(x: number, y: number, width: number, height: number): string {
  return `x="${short(x)}" y="${short(y)}" width="${short(Math.max(0, width))}" height="${short(Math.max(0, height))}"`;
}
