import type { Palette } from './palette';

/** Draws over the rows: a canvas, or an object that keeps lines and areas. */
export interface Pen extends Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'globalAlpha'
  | 'fillRect'
  | 'strokeRect'
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'arc'
  | 'roundRect'
  | 'fill'
  | 'stroke'
  | 'fillText'
> {
  font: string;
  measureText(text: string): { readonly width: number };
  createPattern?(image: CanvasImageSource, repetition: string): CanvasPattern | null;
  /** The hatching of losses, if it cannot be made from an image. */
  hatch?(palette: Palette): string;
}

/** As much of a text as fits; empty if that is next to nothing. */
export function fitted(pen: Pick<Pen, 'measureText'>, text: string, room: number): string {
  if (pen.measureText(text).width <= room) return text;
  let letters = text.length - 1;
  while (letters > 1 && pen.measureText(text.slice(0, letters) + '…').width > room) letters--;
  return letters > 1 ? text.slice(0, letters) + '…' : '';
}
