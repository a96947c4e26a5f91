import type { Address } from '../base/address';
import type { QueryAnswer } from '../data/contract';
import { placesOf, type RowPlace } from '../data/query-rows';
import type { Core } from './core';
import { bringRowIntoSight } from './reveal';

/** How an answer is shown. */
export type Shown = 'table' | 'chart' | 'histogram';

/** Rows of an answer that are drawn above the threads. */
export interface Pinned {
  readonly name: string;
  readonly places: readonly (RowPlace & { readonly label: string })[];
}

/** Questions in SQL: what is in the editor, what was asked, and what stays in the picture. */
export class Queries {
  text = '';
  /** The question that the answer is to. */
  asked: string | undefined;
  /** Changes when the same question is asked again. */
  times = 0;
  /** Whether the text came with a link and waits for the user: somebody else wrote it, perhaps. */
  offered = false;
  shown: Shown = 'table';
  pinned: readonly Pinned[] = [];

  /** What the user has asked since the page was opened, and asks again by going back to it. */
  private readonly own = new Set<string>();

  constructor(private readonly core: Core) {}

  write(text: string): void {
    this.text = text;
    this.core.changed();
  }

  ask(text = this.text): void {
    this.text = text;
    if (text.trim() === '') return;
    this.own.add(text);
    this.offered = false;
    this.asked = text;
    this.times++;
    this.core.remember();
  }

  cancel(): void {
    this.asked = undefined;
    this.core.remember();
  }

  show(shown: Shown): void {
    this.shown = shown;
    this.core.remember();
  }

  /** Draws the rows above the threads. */
  pin(name: string, answer: QueryAnswer): void {
    const place = placesOf(answer, this.core.recording?.tracks ?? []);
    if (!place) return;
    const label = labelColumn(answer);
    const places = answer.rows.flatMap((row, i) => {
      const at = place(i);
      return at ? [{ ...at, label: label < 0 ? '' : String(row[label] ?? '') }] : [];
    });
    places.sort((a, b) => (a.begin < b.begin ? -1 : a.begin > b.begin ? 1 : 0));
    this.pinned = [...this.pinned.filter((each) => each.name !== name), { name, places }];
    this.core.changed();
  }

  unpin(name: string): void {
    this.pinned = this.pinned.filter((each) => each.name !== name);
    this.core.changed();
  }

  /** Brings a row into sight. */
  goTo({ begin, end, track }: RowPlace): void {
    if (end > begin) this.core.showInterval(begin, end);
    else this.core.goTo(begin);
    if (track !== undefined) bringRowIntoSight(this.core, track, 0);
  }

  address(): Pick<Address, 'sql' | 'sqlAs'> {
    const sql = this.offered ? this.text : this.asked;
    if (sql === undefined) return {};
    return { sql, ...(this.shown === 'table' ? {} : { sqlAs: this.shown }) };
  }

  /** A link's question is shown, and asked when the user says so. */
  apply({ sql, sqlAs }: Address): void {
    if (sql !== undefined) this.text = sql;
    this.offered = sql !== undefined && !this.own.has(sql);
    this.asked = this.offered ? undefined : sql;
    this.shown = sqlAs === 'chart' || sqlAs === 'histogram' ? sqlAs : 'table';
  }
}

/** Columns that say what a row is, the best first. */
const LABELS = ['state', 'method', 'name', 'message', 'did'];

/** The column that says most about a row: a text that is not the same everywhere. */
function labelColumn({ columns, rows }: QueryAnswer): number {
  const named = LABELS.map((label) => columns.findIndex(({ name, type }) => name === label && type === 'VARCHAR'));
  const best = named.find((column) => column >= 0);
  if (best !== undefined) return best;
  const texts = columns.flatMap(({ type, name }, i) => (type === 'VARCHAR' && name !== 'recording' ? [i] : []));
  return texts.find((column) => rows.some((row) => row[column] !== rows[0]![column])) ?? texts[0] ?? -1;
}
