/** A priority queue: returns its elements in order. */
export class Heap<T> {
  private readonly items: T[] = [];

  constructor(private readonly order: (a: T, b: T) => number) {}

  get size(): number {
    return this.items.length;
  }

  push(item: T): void {
    const { items } = this;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.order(items[parent]!, item) <= 0) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  /** Takes the first; there must be one. */
  pop(): T {
    const { items } = this;
    const first = items[0]!;
    const last = items.pop()!;
    if (items.length > 0) this.sink(last);
    return first;
  }

  private sink(item: T): void {
    const { items } = this;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.order(items[child + 1]!, items[child]!) < 0) child++;
      if (this.order(item, items[child]!) <= 0) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = item;
  }
}
