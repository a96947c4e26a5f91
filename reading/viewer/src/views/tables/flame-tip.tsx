import { css } from '../../base/colours';
import { grouped } from '../../base/time';
import type { Tree } from '../../data/tree';
import type { Box } from '../../render/flame';
import { Breakable } from '../parts/breakable';
import type { Model } from '../../state/model';
import { exactNs, fullName, ns, percent } from './cells';

/** A box in one line. */
export function described(model: Model, tree: Tree, node: number): string {
  const { method, total, self, calls } = tree.answer;
  const share = percent(total[node]!, tree.whole);
  if (tree.up)
    return `${fullName(model, method[node]!)}: ${spentBelow(model, tree, node)} (${share}), ${grouped(calls[node]!)} calls`;
  return `${fullName(model, method[node]!)}: ${ns(total[node]!)} (${share}), self ${ns(self[node]!)}, ${grouped(calls[node]!)} calls`;
}

/** What a box of an inverted graph stands for: self time of the method at the root. */
function spentBelow(model: Model, tree: Tree, node: number): string {
  const { method, total } = tree.answer;
  const root = rootOf(tree, node);
  return root === node
    ? `self ${ns(total[node]!)}`
    : `called ${model.methods.get(method[root]!)?.label ?? '…'} for ${ns(total[node]!)} of its self time`;
}

function rootOf(tree: Tree, node: number): number {
  let root = node;
  while (tree.parent(root) >= 0) root = tree.parent(root);
  return root;
}

/** Details of the box under the pointer. */
export function FlameTip(props: { model: Model; tree: Tree; box: Box; x: number; y: number }) {
  const { model, tree, box, x, y } = props;
  const { method, total, self, calls } = tree.answer;
  const { node } = box;
  const place = {
    left: x > innerWidth - 400 ? 'auto' : `${x + 14}px`,
    right: x > innerWidth - 400 ? `${innerWidth - x + 14}px` : 'auto',
    bottom: `${innerHeight - y + 12}px`,
  };
  return (
    <div class="tooltip" role="tooltip" style={place}>
      <strong>
        <i class="swatch" style={{ background: css(model.methods.colour(method[node]!, model.theme)) }} />
        <Breakable name={fullName(model, method[node]!)} />
      </strong>
      <p>
        <b>{exactNs(total[node]!)}</b> · {percent(total[node]!, tree.whole)} of all
      </p>
      <p>
        {tree.up ? spentBelow(model, tree, node) : `self ${exactNs(self[node]!)}`} · {grouped(calls[node]!)}{' '}
        {calls[node] === 1 ? 'call' : 'calls'}
      </p>
    </div>
  );
}
