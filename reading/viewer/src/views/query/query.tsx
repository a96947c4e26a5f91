import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { brief, exact, grouped } from '../../base/time';
import type { QueryAnswer, QueryHelp, Scope } from '../../data/contract';
import { meaningOf, placesOf } from '../../data/query-rows';
import { scopeKey } from '../../data/questions';
import type { Model } from '../../state/model';
import { useAnswer } from '../parts/scope';
import { useModel } from '../parts/use';
import type { Column } from '../tables/grid';
import { Status } from '../tables/status';
import { Table } from '../tables/table';
import { Chart, QueryHistogram } from './chart';
import { Editor } from './editor';

interface Told {
  readonly told: QueryAnswer | undefined;
}

interface Helped {
  readonly help: QueryHelp | undefined;
}

/** Questions in SQL: an editor, and the answer beside it. */
export function Query({ model, scope }: { model: Model; scope: Scope }) {
  const helped = useAnswer<Helped & { method?: readonly number[] }>(model, 'query help', async (client, waiting) => ({
    help: await client.queryHelp(waiting),
  }));
  const asked = useModel(model, (m) => m.queries.asked);
  const times = useModel(model, (m) => m.queries.times);
  const offered = useModel(model, (m) => m.queries.offered);
  if (helped.answer && !helped.answer.help) {
    return <p class="panel-note">Only the server can answer questions in SQL: use kymo view or kymo query.</p>;
  }
  return (
    <div class="query">
      <Editor model={model} help={helped.answer?.help} />
      {offered ? (
        <p class="panel-note" role="status">
          A link brought this question; it was not asked yet.{' '}
          <button class="tool" onClick={() => model.queries.ask()}>
            Ask it
          </button>
        </p>
      ) : asked === undefined ? (
        <p class="panel-note">
          Write a question in SQL, or choose a ready one above it. Ctrl + Enter runs it. Rows with a time lead to it
          when clicked. {helped.failed}
        </p>
      ) : (
        <Answer key={`${times} ${asked}`} model={model} scope={scope} sql={asked} times={times} />
      )}
    </div>
  );
}

function Answer({ model, scope, sql, times }: { model: Model; scope: Scope; sql: string; times: number }) {
  const { from, to } = scope;
  const time = from === undefined || to === undefined ? {} : { from, to };
  const asked = useAnswer<Told & { method?: readonly number[] }>(
    model,
    `query ${times} ${scopeKey(time)} ${sql}`,
    async (client, waiting) => ({ told: await client.query(sql, time, waiting) }),
  );
  const shown = useModel(model, (m) => m.queries.shown);
  const told = asked.answer?.told;
  if (asked.failed !== undefined) {
    return (
      <pre class="query-error" role="alert">
        {asked.failed}
      </pre>
    );
  }
  const status = (
    <Status asked={asked}>
      {asked.busy && (
        <button class="tool" onClick={() => model.queries.cancel()}>
          Cancel
        </button>
      )}
      {told && <Beside told={told} part={from !== undefined} />}
    </Status>
  );
  const tools = (
    <>
      {status}
      {told && <Ways model={model} told={told} sql={sql} />}
    </>
  );
  if (told && shown === 'chart') return <Chart model={model} answer={told} tools={tools} />;
  if (told && shown === 'histogram') return <QueryHistogram model={model} answer={told} tools={tools} />;
  return (
    <Rows model={model} answer={told} busy={asked.busy}>
      {tools}
    </Rows>
  );
}

/** What is missing in an answer. */
function Beside({ told, part }: { told: QueryAnswer; part: boolean }) {
  return (
    <>
      {told.more && <span class="warn">only the first {grouped(told.rows.length)} rows are shown</span>}
      {told.gaps > 0 && (
        <span
          class="warn pill"
          title={`Events were lost ${part ? 'in this selection' : ''}: numbers are lower bounds. The table gaps shows when.`}
        >
          {grouped(told.gaps)} {told.gaps === 1 ? 'loss' : 'losses'}: at least
        </span>
      )}
    </>
  );
}

/** Other ways to look at an answer. */
function Ways({ model, told, sql }: { model: Model; told: QueryAnswer; sql: string }) {
  const shown = useModel(model, (m) => m.queries.shown);
  const numbers = told.columns.some((column) => ['time', 'duration', 'number'].includes(meaningOf(column)));
  const placed = placesOf(told, []) !== undefined;
  return (
    <span class="segments" role="group" aria-label="How the answer is shown">
      {(['table', 'chart', 'histogram'] as const).map((way) => (
        <button
          key={way}
          class="tool"
          aria-pressed={shown === way}
          disabled={way !== 'table' && !numbers}
          onClick={() => model.queries.show(way)}
        >
          {{ table: 'Table', chart: 'Chart', histogram: 'Histogram' }[way]}
        </button>
      ))}
      <button
        class="tool"
        disabled={!placed}
        title={placed ? 'Draw the rows above the threads' : 'No column has times: call one begin or time'}
        onClick={() => model.queries.pin(nameOf(sql), told)}
      >
        Pin
      </button>
    </span>
  );
}

/** A short name of a question. */
function nameOf(sql: string): string {
  const line = sql
    .replace(/^\s*--\s*/, '')
    .trim()
    .split('\n')[0]!;
  return line.length > 60 ? line.slice(0, 59) + '…' : line;
}

function Rows(props: {
  readonly model: Model;
  readonly answer: QueryAnswer | undefined;
  readonly busy: boolean;
  readonly children: ComponentChildren;
}) {
  const { model, answer } = props;
  const [filter, setFilter] = useState('');
  const [current, setCurrent] = useState<number>();
  const columns = useMemo(() => (answer ? columnsOf(answer) : []), [answer]);
  const place = useMemo(() => answer && placesOf(answer, model.recording?.tracks ?? []), [answer]);
  const show = (row: number) => {
    const at = place?.(row);
    if (at) model.queries.goTo(at);
  };
  return (
    <Table
      label="Rows of the answer"
      file={`${model.recording?.name ?? 'recording'}-query`}
      columns={columns}
      count={answer?.rows.length ?? 0}
      data={answer}
      sort={{ column: '', descending: false }}
      filter={filter}
      onFilter={setFilter}
      text={(row) => columns.map((column) => column.text(row)).join(' ')}
      current={current}
      onCurrent={setCurrent}
      onAction={(action, row) => action === 'act' && row !== undefined && show(row)}
      empty={props.busy ? '' : 'The answer has no rows.'}
    >
      {props.children}
    </Table>
  );
}

/** Of one recording, all rows have its name. */
function says(answer: QueryAnswer, column: number): boolean {
  return answer.columns[column]!.name !== 'recording' || answer.columns.length === 1;
}

function columnsOf(answer: QueryAnswer): Column[] {
  return answer.columns
    .map((column, i): Column => {
      const meaning = meaningOf(column);
      const value = (row: number) => answer.rows[row]![i] ?? null;
      const raw = (row: number) => {
        const of = value(row);
        return of === null ? '' : String(of);
      };
      const number = meaning !== 'other';
      return {
        id: `${i}`,
        title: column.name,
        hint: `${column.name}: ${column.type}${meaning === 'time' || meaning === 'duration' ? ', nanoseconds' : ''}`,
        head: column.name,
        number,
        width: widthOf(answer, i, meaning),
        value: (row) => {
          const of = value(row);
          return typeof of === 'number' ? of : number ? Number(of ?? NaN) : raw(row);
        },
        text: (row) => text(meaning, value(row)),
        exact: raw,
      };
    })
    .filter((_, i) => says(answer, i));
}

function text(meaning: ReturnType<typeof meaningOf>, value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'number') return String(value);
  if (Number.isInteger(value)) {
    if (meaning === 'time') return exact(BigInt(value));
    return meaning === 'duration' ? brief(BigInt(value)) : grouped(value);
  }
  return String(Math.round(value * 1e6) / 1e6);
}

function widthOf({ rows, columns }: QueryAnswer, column: number, meaning: ReturnType<typeof meaningOf>): string {
  if (meaning === 'time') return '136px';
  if (meaning === 'duration') return '92px';
  if (meaning === 'number') return `minmax(${Math.max(48, columns[column]!.name.length * 9)}px, 0.3fr)`;
  const longest = rows.slice(0, 200).reduce((most, row) => Math.max(most, String(row[column] ?? '').length), 0);
  const wide = Math.max(columns[column]!.name.length + 2, longest);
  return wide > 24 ? 'minmax(220px, 2fr)' : `minmax(${Math.max(70, wide * 8)}px, 0.6fr)`;
}
