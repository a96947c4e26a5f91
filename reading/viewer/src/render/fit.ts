/**
 * Cuts texts to a width. Measuring each one is too slow for thousands of slices per frame, so it adds up the widths of
 * single letters.
 */
export class TextFitter {
  private readonly widths = new Map<string, number>();

  constructor(private readonly context: CanvasRenderingContext2D) {}

  /** The text, or as much of it as fits with an ellipsis, or nothing. */
  fit(text: string, room: number): string {
    let width = 0;
    let fits = 0;
    const dots = this.width('…');
    for (let i = 0; i < text.length; i++) {
      width += this.width(text[i]!);
      if (width + dots <= room) fits = i + 1;
      if (width > room) return fits >= 2 ? text.slice(0, fits) + '…' : '';
    }
    return text;
  }

  measure(text: string): number {
    let width = 0;
    for (const letter of text) width += this.width(letter);
    return width;
  }

  private width(letter: string): number {
    let width = this.widths.get(letter);
    if (width === undefined) {
      width = this.context.measureText(letter).width;
      this.widths.set(letter, width);
    }
    return width;
  }
}
