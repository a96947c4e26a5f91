/** Position of the highest bit of a whole number; −1 for 0. Exact where logarithms are not. */
function highestBit(value: number): number {
  const high = Math.floor(value / 2 ** 32);
  return high > 0 ? 63 - Math.clz32(high) : 31 - Math.clz32(value >>> 0);
}

/** Buckets of numbers: `2 ** bits` for every power of two; small numbers have one each. */
export class Buckets {
  private readonly row: number;

  constructor(private readonly bits: number) {
    this.row = 2 ** bits;
  }

  of(value: number): number {
    const shift = Math.max(0, highestBit(value) - this.bits);
    return shift * this.row + Math.floor(value / 2 ** shift);
  }

  /** Where a bucket begins. */
  bound(bucket: number): number {
    const shift = this.shift(bucket);
    return (bucket - shift * this.row) * 2 ** shift;
  }

  middle(bucket: number): number {
    const shift = this.shift(bucket);
    return this.bound(bucket) + (shift === 0 ? 0 : 2 ** (shift - 1));
  }

  private shift(bucket: number): number {
    return Math.max(0, Math.floor(bucket / this.row) - 1);
  }
}
