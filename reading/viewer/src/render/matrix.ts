import { prepare } from './paint';
import type { Palette } from './palette';
import { mix, css, fromHex, type Rgb } from '../base/colours';

/** Even the smallest cell is visible. */
const LEAST = 0.25;
/** Pixels of a cell, at most. */
const LARGEST = 44;
const SMALLEST = 3;
/** A number fits into a cell of this size. */
const LEGIBLE = 26;

export interface MatrixScene {
  /** Place of each party. */
  readonly place: ReadonlyMap<number, number>;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly value: readonly number[];
  readonly text: (cell: number) => string;
  readonly size: number;
  readonly palette: Palette;
  readonly current: number | undefined;
}

/** Pixels of a cell, so that all parties fit, if they can. */
export function cellSize(parties: number, room: number): number {
  return Math.max(SMALLEST, Math.min(LARGEST, Math.floor(room / Math.max(1, parties))));
}

/** Paints a row for each sender and a column for each receiver; more is stronger. */
export function paintMatrix(canvas: HTMLCanvasElement, scene: MatrixScene): void {
  const { place, from, to, value, size, palette, current } = scene;
  const side = place.size * size;
  const context = prepare(canvas, side + 1, side + 1);
  context.fillStyle = palette.alive;
  context.fillRect(0, 0, side, side);
  const strong: Rgb = fromHex(palette.cursor)!;
  const most = Math.log1p(value.reduce((a, b) => Math.max(a, b), 1));
  context.textAlign = 'center';
  value.forEach((each, cell) => {
    const share = LEAST + (1 - LEAST) * (Math.log1p(Math.max(0, each)) / most);
    const [x, y] = [place.get(to[cell]!)! * size, place.get(from[cell]!)! * size];
    context.fillStyle = css(mix(strong, palette.ground, share));
    context.fillRect(x, y, size, size);
    if (size < LEGIBLE) return;
    context.fillStyle = share > 0.6 ? palette.groundStyle : palette.text;
    context.fillText(scene.text(cell), x + size / 2, y + size / 2 + 1, size - 4);
  });
  context.fillStyle = palette.line;
  for (let i = 0; size >= 8 && i <= place.size; i++) {
    context.fillRect(i * size, 0, 1, side);
    context.fillRect(0, i * size, side, 1);
  }
  if (current === undefined) return;
  context.strokeStyle = palette.select;
  context.lineWidth = 2;
  context.strokeRect(place.get(to[current]!)! * size, place.get(from[current]!)! * size, size, size);
}

/** The cell at a place. */
export function matrixCellAt({ place, from, to, size }: MatrixScene, x: number, y: number): number | undefined {
  const [column, row] = [Math.floor(x / size), Math.floor(y / size)];
  const cell = from.findIndex((sender, i) => place.get(sender) === row && place.get(to[i]!) === column);
  return cell < 0 ? undefined : cell;
}
