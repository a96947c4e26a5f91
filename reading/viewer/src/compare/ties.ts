import type { Box } from '../base/viewer-message';

const SVG = 'http://www.w3.org/2000/svg';

/** The lines between two matched calls, drawn over both viewers. */
export class Ties {
  readonly element = document.createElementNS(SVG, 'svg');
  private readonly band = document.createElementNS(SVG, 'polygon');
  private readonly boxes: Array<Box | null> = [];
  private tied: readonly [number, number] | undefined;

  /** `place` says where the frame of a recording is within the drawing, in CSS pixels. */
  constructor(private readonly place: (index: number) => { left: number; top: number }) {
    this.element.classList.add('ties');
    this.element.setAttribute('aria-hidden', 'true');
    this.element.append(this.band);
  }

  /** Ties the selected calls of two recordings, or none. */
  tie(tied: readonly [number, number] | undefined): void {
    this.tied = tied;
    this.draw();
  }

  /** The selected call of a recording is drawn there. */
  drawn(index: number, at: Box | null): void {
    this.boxes[index] = at;
    this.draw();
  }

  draw(): void {
    const points = this.tied && this.points(this.tied);
    this.band.setAttribute('points', points ?? '');
    this.element.toggleAttribute('data-tied', points !== undefined);
  }

  private points([first, second]: readonly [number, number]): string | undefined {
    const [above, below] = first < second ? [first, second] : [second, first];
    const [a, b] = [this.boxes[above], this.boxes[below]];
    if (!a || !b) return undefined;
    return tiePoints(moved(a, this.place(above)), moved(b, this.place(below)));
  }
}

function moved({ left, right, top, bottom }: Box, by: { left: number; top: number }): Box {
  return { left: left + by.left, right: right + by.left, top: top + by.top, bottom: bottom + by.top };
}

/** From the lower edge of the upper call to the upper edge of the lower one, as an SVG polygon has it. */
export function tiePoints(above: Box, below: Box): string {
  const corners = [
    [above.left, above.bottom],
    [above.right, above.bottom],
    [below.right, below.top],
    [below.left, below.top],
  ];
  return corners.map((corner) => corner.map((value) => Math.round(value * 10) / 10).join(',')).join(' ');
}
