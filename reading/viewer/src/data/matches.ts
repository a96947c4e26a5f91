import type { Tree } from './tree';

/** What the boxes of some methods take together. */
export interface Matched {
  readonly boxes: number;
  readonly methods: number;
  /** In the tree's measure; a box inside another that matches counts once. */
  readonly amount: number;
}

/** What matches in a tree, or below one node of it. */
export function matchedIn(tree: Tree, lit: ReadonlySet<number>, within?: number): Matched {
  const { method, total } = tree.answer;
  const methods = new Set<number>();
  let boxes = 0;
  let amount = 0;
  const stack = (within === undefined ? tree.roots : [within]).map((node) => ({ node, inside: false }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, inside } = next;
    const here = lit.has(method[node]!);
    if (here) {
      boxes++;
      methods.add(method[node]!);
      if (!inside) amount += total[node]!;
    }
    stack.push(...tree.below(node).map((below) => ({ node: below, inside: inside || here })));
  }
  return { boxes, methods: methods.size, amount };
}
