import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TableAction } from '../../base/table-keys';
import { grouped } from '../../base/time';
import type { Scope, TreeAnswer } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import { matcher } from '../../data/table';
import { Tree } from '../../data/tree';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { type Asked, useAnswer } from '../parts/scope';
import { useModel } from '../parts/use';
import { count, duration, fullName, MethodName, methodTitle, withBar } from './cells';
import { CountedNote } from './counted';
import { type Column, Grid } from './grid';
import { Status } from './status';
import { useSort } from './table';
import { Tools, useCopy } from './tools';

export const NO_NODES: TreeAnswer = { atLeast: false, cut: 0, parent: [], method: [], calls: [], total: [], self: [] };
/** Deeper levels are not indented further, so that names stay readable. */
const MAX_INDENT = 40;

export function useTree(model: Model, scope: Scope, up: boolean): { asked: Asked<TreeAnswer>; tree: Tree } {
  const key = `${up ? 'callers' : 'tree'} ${scopeKey(scope)}`;
  const asked = useAnswer(model, key, (client, waiting) => client.tree(scope, up, waiting));
  return { asked, tree: useMemo(() => new Tree(asked.answer ?? NO_NODES, up), [asked.answer]) };
}

/** The call tree, from callers down or from methods up, as a table that unfolds. */
export function CallTree({ model, scope, up }: { model: Model; scope: Scope; up: boolean }) {
  const { asked, tree } = useTree(model, scope, up);
  const { answer } = tree;
  const theme = useModel(model, (m) => m.theme);
  const marked = useModel(model, (m) => m.selection.method);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [current, setCurrent] = useState<number>();
  const [filter, setFilter] = useState('');
  useEffect(() => {
    setOpen(new Set(up ? [] : tree.roots));
    setCurrent(undefined);
  }, [tree]);
  const text = (node: number) => fullName(model, answer.method[node]!);
  const matches = useMemo(() => matcher(filter), [filter]);
  const isOpen = (node: number) => (tree.below(node).length === 0 ? undefined : filter !== '' || open.has(node));
  const toggle = (node: number, opened: boolean) => setOpen((old) => toggled(old, node, opened));
  const columns = useMemo(() => columnsOf(model, tree, up, isOpen, toggle), [tree, theme, open, filter]);
  const [sort, onSort] = useSort({ column: 'total', descending: true }, columns);
  const rows = useMemo(() => {
    const by = columns.find((column) => column.id === sort.column)!;
    const sorted = { by, descending: sort.descending };
    return filter && matches ? tree.matching(matches, text, sorted) : tree.visible(open, sorted);
  }, [tree, open, matches, sort]);
  const [said, copy] = useCopy(columns, rows);
  const unfoldHotPath = () => {
    const start = current ?? rows[0];
    if (start === undefined) return;
    const path = tree.hotPath(start);
    setOpen((old) => new Set([...old, ...path]));
    setCurrent(path.at(-1));
  };
  const act = (action: TableAction, node: number | undefined) => {
    if (action === 'copy') copy();
    else if (action === 'hotPath') unfoldHotPath();
    else if (node === undefined) return;
    else if (action === 'act') model.selection.mark(answer.method[node]!);
    else if (action === 'unfold') {
      if (isOpen(node) === false) toggle(node, true);
      else if (isOpen(node)) setCurrent(rows[rows.indexOf(node) + 1]);
    } else if (action === 'fold') {
      if (isOpen(node) && filter === '') toggle(node, false);
      else if (tree.parent(node) >= 0) setCurrent(tree.parent(node));
    }
  };
  return (
    <section class="table">
      <Tools
        columns={columns}
        rows={rows}
        all={filter ? tree.size : rows.length}
        filter={filter}
        wrong={!matches}
        onFilter={setFilter}
        file={`${model.recording?.name ?? 'recording'}-${up ? 'callers' : 'tree'}`}
        said={said}
        onCopy={copy}
      >
        <button
          class="tool"
          title="Unfold from the current row down to where the time is spent (H)"
          onClick={unfoldHotPath}
        >
          <Icon name="hot" />
          Hot path
        </button>
        <CountedNote model={model} scope={scope} missing="not in this tree" />
        <Status asked={asked}>
          {answer.cut > 0 && (
            <small title="The smallest nodes; their time is in the totals above them.">
              {grouped(answer.cut)} smallest left out
            </small>
          )}
        </Status>
      </Tools>
      <Grid
        label={up ? 'Methods and their callers' : 'Call tree'}
        columns={columns}
        rows={rows}
        current={current}
        onCurrent={setCurrent}
        sort={sort}
        onSort={onSort}
        marked={(node) => answer.method[node] === marked}
        onAction={act}
        tree={{ level: (node) => tree.depth[node]!, open: isOpen }}
        empty={
          filter && tree.size > 0 ? 'Nothing matches the filter.' : asked.answer ? 'No call in this selection.' : ''
        }
      />
    </section>
  );
}

function toggled(open: ReadonlySet<number>, node: number, opened: boolean): ReadonlySet<number> {
  const next = new Set(open);
  if (opened) next.add(node);
  else next.delete(node);
  return next;
}

function columnsOf(
  model: Model,
  tree: Tree,
  up: boolean,
  isOpen: (node: number) => boolean | undefined,
  toggle: (node: number, opened: boolean) => void,
): Column[] {
  const { method, total, self, calls } = tree.answer;
  const spent = up
    ? 'Self time of the method at the root that was spent when called this way'
    : 'Time from enter to leave when called this way';
  const totals = duration('total', up ? 'Self time' : 'Total', spent, (node) => total[node]!, 'minmax(220px, 1fr)');
  const columns: Column[] = [
    {
      id: 'method',
      title: 'Method',
      head: 'method',
      width: 'minmax(240px, 2fr)',
      value: (node) => '  '.repeat(tree.depth[node]!) + fullName(model, method[node]!),
      text: (node) => fullName(model, method[node]!),
      exact: (node) => methodTitle(model, method[node]!),
      cell: (node) => {
        const open = isOpen(node);
        return (
          <>
            <span style={{ flex: 'none', width: `${Math.min(tree.depth[node]!, MAX_INDENT) * 14}px` }} />
            {open === undefined ? (
              <span class="fold" />
            ) : (
              <button
                class="fold"
                tabIndex={-1}
                aria-label={open ? 'Fold' : 'Unfold'}
                onClick={() => toggle(node, !open)}
              >
                <Icon name={open ? 'open' : 'closed'} />
              </button>
            )}
            <MethodName model={model} method={method[node]!} />
          </>
        );
      },
    },
    withBar(totals, tree.whole, (node) => total[node]!),
  ];
  if (!up)
    columns.push(duration('self', 'Self', 'Time in the method itself when called this way', (node) => self[node]!));
  columns.push(
    count('calls', 'Calls', up ? 'Calls that were made this way' : 'Number of calls', (node) => calls[node]!),
  );
  return columns;
}
