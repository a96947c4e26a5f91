import { css } from '../../base/colours';
import { CALL_TIME } from '../../base/measure';
import type { Tree } from '../../data/tree';
import type { Box } from '../../render/flame';
import { Breakable } from '../parts/breakable';
import type { Model } from '../../state/model';
import { fullName, percent } from './cells';

/** A box in one line. */
export function described(model: Model, tree: Tree, node: number): string {
  const { method, total, self, calls } = tree.answer;
  const { brief, counted, plain } = tree.measure;
  const share = percent(total[node]!, tree.whole);
  const counts = plain ? '' : `, ${counted(calls[node]!)}`;
  if (tree.up) return `${fullName(model, method[node]!)}: ${spentBelow(model, tree, node)} (${share})${counts}`;
  return `${fullName(model, method[node]!)}: ${brief(total[node]!)} (${share}), self ${brief(self[node]!)}${counts}`;
}

/** What a box of an inverted graph stands for: self time, or own samples, of the method at the root. */
function spentBelow(model: Model, tree: Tree, node: number): string {
  const { method, total } = tree.answer;
  const root = rootOf(tree, node);
  const spent = tree.measure.brief(total[node]!);
  if (root === node) return `self ${spent}`;
  const name = model.methods.get(method[root]!)?.label ?? '…';
  return tree.measure === CALL_TIME
    ? `called ${name} for ${spent} of its self time`
    : `called ${name} in ${spent} of its own`;
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
  const { exact, counted, plain } = tree.measure;
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
        <b>{exact(total[node]!)}</b> · {percent(total[node]!, tree.whole)} of all
      </p>
      <p>
        {tree.up ? spentBelow(model, tree, node) : `self ${exact(self[node]!)}`}
        {plain ? '' : ` · ${counted(calls[node]!)}`}
      </p>
    </div>
  );
}
