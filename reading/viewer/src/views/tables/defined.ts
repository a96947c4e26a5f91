import { exact, grouped } from '../../base/time';
import type { TableAnswer, TableColumn } from '../../data/contract';
import { exactNs, ns } from './cells';
import type { Column } from './grid';

/** Of the columns of a table that the server defines, those that a view shows first, and those it does not show. */
interface Choice {
  readonly first: readonly string[];
  readonly hidden: readonly string[];
}

const ALL: Choice = { first: [], hidden: [] };

/**
 * The columns of a table that the server defines: one that a view knows nothing of is shown all the same, and one in
 * which there is nothing is not.
 */
export function definedColumns(table: TableAnswer, { first, hidden } = ALL): Column[] {
  const place = (id: string) => (first.includes(id) ? first.indexOf(id) : first.length);
  return table.columns
    .filter((column) => !hidden.includes(column.id) && !isEmpty(column))
    .sort((a, b) => place(a.id) - place(b.id))
    .map((column) => ({ ...definedColumn(column), title: title(table, column) }));
}

/** Its label or, where several have the same, its id. */
function title(table: TableAnswer, { id, label }: TableColumn): string {
  const alone = table.columns.filter((column) => column.label === label).length === 1;
  const words = alone ? label : id.replaceAll('_', ' ');
  return /^[a-z][a-z]/.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words; // not p99
}

function isEmpty({ values, absent }: TableColumn): boolean {
  return values.length > 0 && !absent && values.every((value) => value === null);
}

const SUFFIX: Partial<Record<TableColumn['unit'], string>> = { nanos: '_ns', moment: '_ns', bytes: '_bytes' };

function definedColumn(column: TableColumn): Omit<Column, 'title'> {
  const { id, unit, meaning, values, absent } = column;
  const least = new Set(column.atLeast);
  const number = unit !== 'text' && unit !== 'flag';
  const said = (row: number, text: (value: string | number | boolean) => string) => {
    const value = values[row];
    return value === null || value === undefined
      ? (absent?.[row] ?? '')
      : `${least.has(row) ? '≥ ' : ''}${text(value)}`;
  };
  return {
    id,
    hint: meaning,
    head: id + (SUFFIX[unit] ?? ''),
    number,
    width: number ? 'var(--number-column)' : 'minmax(90px, 0.7fr)',
    value: (row) => sortable(unit, values[row] ?? null),
    text: (row) => said(row, (value) => brief(unit, value)),
    exact: (row) => said(row, (value) => (unit === 'nanos' ? exactNs(Number(value)) : brief(unit, value))),
  };
}

function sortable(unit: TableColumn['unit'], value: string | number | boolean | null): number | bigint | string {
  if (unit === 'moment') return value === null ? -1n : BigInt(value);
  if (value === null) return unit === 'text' || unit === 'address' ? '' : -1;
  return typeof value === 'boolean' ? String(value) : value;
}

function brief(unit: TableColumn['unit'], value: string | number | boolean): string {
  switch (unit) {
    case 'nanos':
      return ns(Number(value));
    case 'moment':
      return exact(BigInt(value));
    case 'count':
    case 'bytes':
      return grouped(Number(value));
    case 'share':
      return `${(100 * Number(value)).toFixed(1)} %`;
    default:
      return value === true ? 'yes' : value === false ? '' : String(value);
  }
}

/** Some rows of a table. */
export function pickedRows(table: TableAnswer, rows: readonly number[]): TableAnswer {
  const columns = table.columns.map(({ absent, atLeast, ...column }) => ({
    ...column,
    values: rows.map((row) => column.values[row]!),
    ...(absent && { absent: rows.map((row) => absent[row]!) }),
    ...(atLeast && { atLeast: rows.flatMap((row, at) => (atLeast.includes(row) ? [at] : [])) }),
  }));
  return { rows: rows.length, columns };
}

/** The value of a number's column in a row; 0 if there is none. */
export function numberIn(table: TableAnswer, id: string, row: number): number {
  return Number(table.columns.find((column) => column.id === id)?.values[row] ?? 0);
}

/** The values of a column of text. */
export function textIn(table: TableAnswer, id: string, row: number): string {
  return String(table.columns.find((column) => column.id === id)?.values[row] ?? '');
}
