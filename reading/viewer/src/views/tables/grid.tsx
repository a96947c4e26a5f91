import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type TableAction, tableActionOf } from '../../base/table-keys';
import type { Facts, Sort } from '../../data/table';

export const ROW_HEIGHT = 24;
/** Extra rows outside the edges, so that scrolling never shows a hole. */
const SPARE = 4;

export interface Column extends Facts {
  readonly title: string;
  /** What the column means, in its head's tooltip. */
  readonly hint?: string;
  readonly number?: boolean;
  /** A track of a CSS grid. */
  readonly width: string;
  /** What is written in the cell. */
  readonly text: (row: number) => string;
  /** The exact value; if missing, the text is exact. */
  readonly exact?: (row: number) => string;
  /** The content of the cell, if it is more than the text. */
  readonly cell?: (row: number) => ComponentChildren;
  /** Cannot be sorted by. */
  readonly fixed?: boolean;
}

/** What makes rows a tree. */
export interface Unfolding {
  readonly level: (row: number) => number;
  /** Undefined: nothing to unfold. */
  readonly open: (row: number) => boolean | undefined;
}

export interface GridProps {
  readonly label: string;
  readonly columns: readonly Column[];
  /** The rows' numbers, in order. */
  readonly rows: readonly number[];
  readonly current: number | undefined;
  readonly onCurrent: (row: number, how: 'mouse' | 'key') => void;
  readonly sort?: Sort | undefined;
  readonly onSort?: ((column: string) => void) | undefined;
  readonly marked?: ((row: number) => boolean) | undefined;
  /** Keys beyond moving the current row; a click is `act`. */
  readonly onAction: (action: TableAction, row: number | undefined) => void;
  readonly tree?: Unfolding | undefined;
  /** Shown if there are no rows. */
  readonly empty: string;
  readonly onRange?: ((first: number, last: number) => void) | undefined;
  /** Changes when all rows change: the current one then comes into sight again. */
  readonly restarted?: number | undefined;
  /** Number of rows that were put before the others since; the visible rows stay in place. */
  readonly prepended?: number | undefined;
}

let grids = 0;

/** A grid of which only the visible rows are in the page. One row is current; keys move it. */
export function Grid(props: GridProps) {
  const { columns, rows, current, tree } = props;
  const box = useRef<HTMLDivElement>(null);
  const [id] = useState(() => `grid-${++grids}`);
  const [sight, setSight] = useState({ top: 0, height: 400 });
  const at = current === undefined ? -1 : rows.indexOf(current);
  const first = Math.max(0, Math.floor(sight.top / ROW_HEIGHT) - SPARE);
  const last = Math.min(rows.length, Math.ceil((sight.top + sight.height) / ROW_HEIGHT) + SPARE);

  const measure = () => {
    // The observer may fire after the table was removed.
    if (!box.current) return;
    const { scrollTop, clientHeight } = box.current;
    setSight((old) =>
      old.top === scrollTop && old.height === clientHeight ? old : { top: scrollTop, height: clientHeight },
    );
  };
  useEffect(() => {
    const sizes = new ResizeObserver(measure);
    sizes.observe(box.current!);
    return () => sizes.disconnect();
  }, []);
  const before = useRef(props.prepended ?? 0);
  useLayoutEffect(() => {
    const added = (props.prepended ?? 0) - before.current;
    before.current = props.prepended ?? 0;
    if (added !== 0) box.current!.scrollTop += added * ROW_HEIGHT;
    measure();
  }, [props.prepended, rows.length]);
  useLayoutEffect(() => {
    if (at >= 0) scrollTo(box.current!, at);
  }, [current, props.restarted]);
  useEffect(() => props.onRange?.(first, last), [first, last, rows.length]);

  const keyed = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) return;
    const action = tableActionOf(event);
    if (!action || (!tree && (action === 'unfold' || action === 'fold' || action === 'hotPath'))) return;
    event.preventDefault();
    event.stopPropagation();
    const page = Math.max(1, Math.floor(sight.height / ROW_HEIGHT) - 2);
    const next = moved(action, at, rows.length, page);
    if (next === undefined) props.onAction(action, current);
    else if (rows.length > 0) props.onCurrent(rows[next]!, 'key');
  };
  // Rows that leave on one side are reused on the other: the page's elements stay.
  const pool = Math.ceil(sight.height / ROW_HEIGHT) + 2 * SPARE + 1;
  const template = columns.map((column) => column.width).join(' ');
  return (
    <div
      class="grid"
      ref={box}
      role={tree ? 'treegrid' : 'grid'}
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={at >= first && at < last ? `${id}-${current}` : undefined}
      tabIndex={0}
      onScroll={measure}
      onKeyDown={keyed}
    >
      <div class="grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {columns.map((column) => (
          <Head key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
        ))}
      </div>
      <div class="grid-body" role="presentation" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
        {rows.slice(first, last).map((row, i) => (
          <Row
            key={(first + i) % pool}
            {...props}
            id={`${id}-${row}`}
            row={row}
            place={first + i}
            template={template}
          />
        ))}
      </div>
      {rows.length === 0 && <p class="grid-empty">{props.empty}</p>}
    </div>
  );
}

function Row(props: GridProps & { id: string; row: number; place: number; template: string }) {
  const { id, row, place, template, columns, current, tree } = props;
  const looks = [
    'grid-row',
    place % 2 === 1 && 'odd-row',
    row === current && 'current',
    props.marked?.(row) && 'marked',
  ];
  return (
    <div
      id={id}
      class={looks.filter(Boolean).join(' ')}
      role="row"
      aria-rowindex={place + 2}
      aria-selected={row === current}
      {...(tree ? { 'aria-level': tree.level(row) + 1, 'aria-expanded': tree.open(row) } : {})}
      style={{ gridTemplateColumns: template, top: `${place * ROW_HEIGHT}px` }}
      onClick={(event) => {
        if ((event.target as HTMLElement).closest('button')) return;
        props.onCurrent(row, 'mouse');
        props.onAction('act', row);
      }}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          class={column.number ? 'number' : 'text'}
          role="gridcell"
          title={(column.exact ?? column.text)(row)}
        >
          {column.cell ? column.cell(row) : column.text(row)}
        </div>
      ))}
    </div>
  );
}

function Head(props: { column: Column; sort: Sort | undefined; onSort: ((column: string) => void) | undefined }) {
  const { column, sort, onSort } = props;
  const here = sort?.column === column.id;
  const title = column.hint ?? column.title;
  const kind = column.number ? 'number' : 'text';
  if (!onSort || column.fixed) {
    return (
      <div class={kind} role="columnheader" title={title}>
        <span>{column.title}</span>
      </div>
    );
  }
  return (
    <div class={kind} role="columnheader" aria-sort={here ? (sort.descending ? 'descending' : 'ascending') : 'none'}>
      <button title={title + ' – sort'} onClick={() => onSort(column.id)}>
        <span>{column.title}</span>
        <i aria-hidden="true">{here ? (sort.descending ? '▾' : '▴') : ''}</i>
      </button>
    </div>
  );
}

/** The place that a key moves the current row to; undefined for other keys. */
function moved(action: TableAction, at: number, count: number, page: number): number | undefined {
  const inside = (place: number) => Math.min(count - 1, Math.max(0, place));
  switch (action) {
    case 'rowUp':
      return inside(at - 1);
    case 'rowDown':
      return inside(at + 1);
    case 'rowsUp':
      return inside(at - page);
    case 'rowsDown':
      return inside(at + page);
    case 'first':
      return 0;
    case 'last':
      return count - 1;
    default:
      return undefined;
  }
}

/**
 * Scrolls only as far as needed for a step; a row from far away comes into the middle. The head covers the height of
 * one row.
 */
function scrollTo(box: HTMLElement, at: number): void {
  const top = at * ROW_HEIGHT;
  const room = box.clientHeight - 2 * ROW_HEIGHT;
  const away = top < box.scrollTop ? box.scrollTop - top : top - room - box.scrollTop;
  if (away <= 0) return;
  if (away > 2 * ROW_HEIGHT) box.scrollTop = top - room / 2;
  else box.scrollTop = top < box.scrollTop ? top : top - room;
}
