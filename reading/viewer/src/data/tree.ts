import { CALL_TIME, type Measure } from '../base/measure';
import type { TreeAnswer } from './contract';
import { type Facts, type Matcher, sortRows } from './table';

/** A call tree to walk through; nodes are numbers, as in the answer. */
export class Tree {
  readonly depth: Int32Array;
  readonly roots: readonly number[];
  /** What the roots took together; the share of everything else refers to it. */
  readonly whole: number;
  private readonly children: number[][] = [];

  constructor(
    readonly answer: TreeAnswer,
    /**
     * From the methods to their callers; then times belong to the methods at the roots, and callers have no self time.
     */
    readonly up: boolean,
    /** What total and self are. */
    readonly measure: Measure = CALL_TIME,
  ) {
    const { parent, total } = answer;
    this.depth = new Int32Array(parent.length);
    const roots: number[] = [];
    for (let node = 0; node < parent.length; node++) {
      this.children.push([]);
      const above = parent[node]!;
      if (above < 0) roots.push(node);
      else {
        this.children[above]!.push(node);
        this.depth[node] = this.depth[above]! + 1;
      }
    }
    this.roots = roots;
    this.whole = roots.reduce((sum, root) => sum + total[root]!, 0);
  }

  get size(): number {
    return this.depth.length;
  }

  below(node: number): readonly number[] {
    return this.children[node]!;
  }

  parent(node: number): number {
    return this.answer.parent[node]!;
  }

  /** From a node down to the first one that costs more by itself than any of its callees. */
  hotPath(start: number): number[] {
    const { total, self } = this.answer;
    const path = [start];
    for (let node = start; ;) {
      const next = costliest(this.children[node]!, total);
      if (next === undefined || (!this.up && self[node]! > total[next]!)) return path;
      path.push(next);
      node = next;
    }
  }

  /** The nodes to be shown, in order, when some are open. */
  visible(open: ReadonlySet<number>, sorted?: { by: Facts; descending: boolean }): number[] {
    return this.walk(
      (node) => open.has(node),
      () => true,
      sorted,
    );
  }

  /** The nodes whose text matches, with everything above them. */
  matching(matches: Matcher, text: (node: number) => string, sorted?: { by: Facts; descending: boolean }): number[] {
    const shown = new Set<number>();
    for (let node = 0; node < this.size; node++) {
      if (!matches(text(node))) continue;
      for (let above = node; above >= 0 && !shown.has(above); above = this.parent(above)) shown.add(above);
    }
    return this.walk(
      () => true,
      (node) => shown.has(node),
      sorted,
    );
  }

  private walk(
    opened: (node: number) => boolean,
    shown: (node: number) => boolean,
    sorted?: { by: Facts; descending: boolean },
  ): number[] {
    const rows: number[] = [];
    const order = (nodes: readonly number[]) => {
      const kept = nodes.filter(shown);
      return (sorted ? sortRows(kept, sorted.by, sorted.descending) : kept).reverse();
    };
    // An explicit stack, because calls may be nested thousands deep.
    const stack = order(this.roots);
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      rows.push(node);
      if (opened(node)) stack.push(...order(this.children[node]!));
    }
    return rows;
  }
}

function costliest(nodes: readonly number[], total: readonly number[]): number | undefined {
  return nodes.reduce<number | undefined>(
    (best, node) => (best === undefined || total[node]! > total[best]! ? node : best),
    undefined,
  );
}
