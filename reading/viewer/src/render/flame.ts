import type { Tree } from '../data/tree';

/** Where a node of a call tree is drawn, in shares of the width; its row is its depth. */
export interface Box {
  readonly node: number;
  readonly depth: number;
  readonly left: number;
  readonly right: number;
}

/** Boxes of a flame graph, by depth and in order from left to right; the costliest is leftmost. */
export class Flame {
  readonly rows: readonly (readonly Box[])[];

  /** Lays out all nodes, or one node over the whole width with its callers above it. */
  constructor(
    readonly tree: Tree,
    readonly zoomed: number | undefined,
    /** Narrower boxes are left out, with everything inside them. */
    least: number,
  ) {
    const rows: Box[][] = [];
    const put = (box: Box) => (rows[box.depth] ??= []).push(box);
    const stack: Box[] = [];
    if (zoomed === undefined) stack.push(...spread(tree, tree.roots, 0, 1, tree.whole, 0));
    else {
      for (let above = tree.parent(zoomed); above >= 0; above = tree.parent(above)) {
        put({ node: above, depth: tree.depth[above]!, left: 0, right: 1 });
      }
      stack.push({ node: zoomed, depth: tree.depth[zoomed]!, left: 0, right: 1 });
    }
    for (let box = stack.pop(); box; box = stack.pop()) {
      put(box);
      const { node, depth, left, right } = box;
      const below = spread(tree, tree.below(node), left, right - left, tree.answer.total[node]!, depth + 1);
      stack.push(...below.filter((each) => each.right - each.left >= least));
    }
    rows.forEach((row) => row.sort((a, b) => a.left - b.left));
    this.rows = rows;
  }

  at(share: number, depth: number): Box | undefined {
    return this.rows[depth]?.find((box) => share >= box.left && share < box.right);
  }

  boxOf(node: number): Box | undefined {
    return this.rows[this.tree.depth[node]!]?.find((box) => box.node === node);
  }

  /** The box beside another in its row. */
  beside(node: number, by: 1 | -1): Box | undefined {
    const row = this.rows[this.tree.depth[node]!] ?? [];
    return row[row.findIndex((box) => box.node === node) + by];
  }
}

function spread(
  tree: Tree,
  nodes: readonly number[],
  left: number,
  width: number,
  whole: number,
  depth: number,
): Box[] {
  const boxes: Box[] = [];
  let begin = left;
  for (const node of nodes) {
    const room = whole > 0 ? (tree.answer.total[node]! / whole) * width : 0;
    boxes.push({ node, depth, left: begin, right: begin + room });
    begin += room;
  }
  return boxes;
}
