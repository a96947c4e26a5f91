import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { TableAction } from '../../base/table-keys';
import { matcher, ordered, type Sort } from '../../data/table';
import { type Column, Grid } from './grid';
import { Tools, useCopy } from './tools';

/** A table that can be sorted, filtered, copied and downloaded. A row is a number; columns say what it stands for. */
export function Table(props: {
  readonly label: string;
  readonly file: string;
  readonly columns: readonly Column[];
  readonly count: number;
  /** Changes when the rows change. */
  readonly data: unknown;
  readonly sort: Sort;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  /** The text that the filter matches. */
  readonly text: (row: number) => string;
  readonly current: number | undefined;
  readonly onCurrent: (row: number) => void;
  readonly onAction: (action: TableAction, row: number | undefined) => void;
  readonly marked?: (row: number) => boolean;
  readonly empty: string;
  readonly children?: ComponentChildren;
}) {
  const { columns, count, data, filter, text } = props;
  const [sort, onSort] = useSort(props.sort, columns);
  const matches = useMemo(() => matcher(filter), [filter]);
  const rows = useMemo(() => {
    const by = columns.find((column) => column.id === sort.column);
    const keep = filter && matches ? (row: number) => matches(text(row)) : () => true;
    return ordered(count, keep, by && { by, descending: sort.descending });
  }, [data, count, sort, matches]);
  const [said, copy] = useCopy(columns, rows);
  return (
    <section class="table">
      <Tools
        columns={columns}
        rows={rows}
        all={count}
        filter={filter}
        wrong={!matches}
        onFilter={props.onFilter}
        file={props.file}
        said={said}
        onCopy={copy}
      >
        {props.children}
      </Tools>
      <Grid
        label={props.label}
        columns={columns}
        rows={rows}
        current={props.current}
        onCurrent={props.onCurrent}
        sort={sort}
        onSort={onSort}
        marked={props.marked}
        onAction={(action, row) => (action === 'copy' ? copy() : props.onAction(action, row))}
        empty={filter && count > 0 ? 'Nothing matches the filter.' : props.empty}
      />
    </section>
  );
}

/** Sorts numbers in descending and names in ascending order; a second click reverses the order. */
export function useSort(first: Sort, columns: readonly Column[]): [Sort, (column: string) => void] {
  const [sort, setSort] = useState(first);
  const choose = (id: string) =>
    setSort((old) =>
      old.column === id
        ? { column: id, descending: !old.descending }
        : { column: id, descending: columns.find((column) => column.id === id)?.number ?? false },
    );
  return [sort, choose];
}
