/** All calls, track by track, in the order of their ends. */
export interface CallColumns {
  readonly begin: Float64Array;
  readonly end: Float64Array;
  readonly depth: Uint32Array;
  readonly method: Uint32Array;
  readonly flags: Uint8Array;
}

/** Reads whole numbers of seven bits a byte, the lowest first; the highest bit says that more follow. */
export class NumberColumn {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  next(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new Error('the page is cut off');
      if (byte < 128) return value + byte * unit;
      value += (byte - 128) * unit;
      unit *= 128;
    }
  }

  /** A number that may be negative: 0, −1, 1, −2, ... are 0, 1, 2, 3, ... */
  nextSigned(): number {
    const value = this.next();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
