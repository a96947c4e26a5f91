import type { QueryHelp } from './contract';

const MOST = 8;
const KEYWORDS = [
  'SELECT', 'FROM', 'WHERE', 'GROUP BY ALL', 'ORDER BY', 'LIMIT', 'JOIN', 'LEFT JOIN', 'ASOF JOIN', 'USING', 'HAVING',
  'QUALIFY', 'PARTITION BY', 'DISTINCT', 'count(*)', 'sum(', 'avg(', 'min(', 'max(', 'approx_quantile(', 'arg_max(',
  'lead(', 'lag(', 'BETWEEN', 'DESC', 'CASE WHEN', 'round(',
]; // prettier-ignore

/** What may be written in the place of the word before the caret; of `calls.beg`, columns of `calls`. */
export function completions(help: QueryHelp, text: string, caret: number): { word: string; found: readonly string[] } {
  const word = /[\w.]*$/.exec(text.slice(0, caret))![0];
  if (word.length < 2) return { word, found: [] };
  const dot = word.lastIndexOf('.');
  const of = help.tables[word.slice(0, Math.max(0, dot))];
  const names =
    of?.map((column) => `${word.slice(0, dot)}.${column}`) ??
    (dot >= 0
      ? Object.keys(help.tables)
      : [
          ...Object.keys(help.tables),
          ...mentioned(help, text),
          ...help.functions.map((each) => each.call.replace(/\(.*/, '(')),
          ...KEYWORDS,
        ]);
  const begin = word.toLowerCase();
  const found = [...new Set(names)].filter(
    (name) => name.toLowerCase().startsWith(begin) && name.toLowerCase() !== begin,
  );
  return { word, found: found.slice(0, MOST) };
}

/** Columns: of the tables in the question first, then all others. */
function mentioned(help: QueryHelp, text: string): string[] {
  const words = new Set(text.match(/[\w.]+/g) ?? []);
  const tables = Object.entries(help.tables);
  return [...tables.filter(([name]) => words.has(name)), ...tables].flatMap(([, columns]) => columns);
}
