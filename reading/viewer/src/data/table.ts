/** What a table does with its rows before anything is drawn: choose, order, write out. */

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

/** The data of a column, without its look. */
export interface Facts {
  readonly id: string;
  /** The column's head in copied text; with the unit, if there is one. */
  readonly head: string;
  /** The exact value, for sorting and copying. */
  readonly value: (row: number) => number | bigint | string;
}

export type Matcher = (text: string) => boolean;

/**
 * Reads a filter as it is typed: part of the text, or a regular expression between slashes. Without a
 * capital letter, letters of either case match. Undefined: the expression is not (yet) valid.
 */
export function matcher(typed: string): Matcher | undefined {
  const anyCase = typed === typed.toLowerCase();
  const expression = /^\/(.*)\/$/s.exec(typed)?.[1];
  if (expression !== undefined) {
    try {
      // Escapes such as \S do not count as capital letters.
      const capital = /[A-Z]/.test(expression.replace(/\\./g, ''));
      const pattern = new RegExp(expression, capital ? '' : 'i');
      return (text) => pattern.test(text);
    } catch {
      return undefined;
    }
  }
  return anyCase ? (text) => text.toLowerCase().includes(typed) : (text) => text.includes(typed);
}

/** The rows that pass the filter, sorted; equal ones keep their order. */
export function ordered(
  count: number,
  keep: (row: number) => boolean,
  sorted?: { by: Facts; descending: boolean },
): number[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) {
    if (keep(row)) rows.push(row);
  }
  return sorted ? sortRows(rows, sorted.by, sorted.descending) : rows;
}

export function sortRows(rows: number[], by: Facts, descending: boolean): number[] {
  const values = new Map(rows.map((row) => [row, by.value(row)]));
  const sign = descending ? -1 : 1;
  return rows.sort((a, b) => sign * compare(values.get(a)!, values.get(b)!) || a - b);
}

/** Made once, because making one takes longer than comparing thousands. */
const letters = new Intl.Collator('en');

function compare(a: number | bigint | string, b: number | bigint | string): number {
  if (typeof a === 'string' && typeof b === 'string') return letters.compare(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** For pasting into a spreadsheet or an issue. */
export function tsv(columns: readonly Facts[], rows: readonly number[]): string {
  return written(columns, rows, '\t', '\n', (text) => text.replaceAll(/[\t\r\n]/g, ' '));
}

/** RFC 4180. */
export function csv(columns: readonly Facts[], rows: readonly number[]): string {
  return written(columns, rows, ',', '\r\n', (text) =>
    /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
  );
}

function written(
  columns: readonly Facts[],
  rows: readonly number[],
  separator: string,
  lineEnd: string,
  escape: (text: string) => string,
): string {
  const heads = columns.map((column) => escape(column.head)).join(separator);
  const lines = rows.map((row) => columns.map((column) => escape(String(column.value(row)))).join(separator));
  return [heads, ...lines].join(lineEnd) + lineEnd;
}
