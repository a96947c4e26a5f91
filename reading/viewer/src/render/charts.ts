import { prepare } from './paint';

/** A layer of stacked columns. */
export interface Layer {
  readonly colour: string;
  readonly values: readonly number[];
}

export interface ChartScene {
  readonly layers: readonly Layer[];
  /** The value of a full column. */
  readonly most: number;
  readonly width: number;
  readonly height: number;
  readonly current: number | undefined;
  readonly select: string;
}

/** Paints columns, each layer on top of the one before. */
export function paintColumns(canvas: HTMLCanvasElement, scene: ChartScene): void {
  const { layers, most, width, height, current, select } = scene;
  const context = prepare(canvas, width, height);
  const columns = layers[0]?.values.length ?? 0;
  const at = (column: number) => Math.round((column / columns) * width);
  const bases = new Float64Array(columns);
  for (const { colour, values } of layers) {
    context.fillStyle = colour;
    values.forEach((value, column) => {
      if (value <= 0) return;
      const base = bases[column]!;
      bases[column] = base + value;
      const top = Math.min(height - (bases[column]! / most) * height, height - (base / most) * height - MIN);
      context.fillRect(at(column), top, at(column + 1) - at(column), height - (base / most) * height - top);
    });
  }
  if (current === undefined || current >= columns) return;
  context.strokeStyle = select;
  context.strokeRect(at(current) + 0.5, 0.5, Math.max(1, at(current + 1) - at(current) - 1), height - 1);
}

/** Pixels of what is not nothing. */
const MIN = 0.5;

/** The column at a place. */
export function columnAt(columns: number, width: number, x: number): number | undefined {
  const column = Math.floor((x / width) * columns);
  return column >= 0 && column < columns ? column : undefined;
}

/** The layer of a column at a height, counted from the top. */
export function layerAt({ layers, most, height }: ChartScene, column: number, y: number): number | undefined {
  let value = ((height - y) / height) * most;
  for (let layer = 0; layer < layers.length; layer++) {
    value -= layers[layer]!.values[column] ?? 0;
    if (value <= 0) return layer;
  }
  return undefined;
}

/** The largest sum of a column. */
export function highest(layers: readonly Layer[]): number {
  const columns = layers[0]?.values.length ?? 0;
  let most = 0;
  for (let column = 0; column < columns; column++) {
    most = Math.max(
      most,
      layers.reduce((sum, { values }) => sum + values[column]!, 0),
    );
  }
  return most;
}
