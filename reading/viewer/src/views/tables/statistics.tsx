import { useMemo, useState } from 'preact/hooks';
import { css } from '../../base/colours';
import { brief, exact, grouped } from '../../base/time';
import type { Scope } from '../../data/contract';
import { type Grouping, GROUPINGS, type StatisticsAnswer, type Subject, SUBJECTS } from '../../data/statistics';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';
import { count, duration, exactNs, fullName, methodColumn, ns } from './cells';
import type { Column } from './grid';
import { COLUMNS, DurationPicture } from './scatter';
import {
  Choice,
  columnTimes,
  goThere,
  groupName,
  GROUPING_NAMES,
  ONLY_SERVER,
  SUBJECT_NAMES,
  TimeChart,
  useStatistics,
} from './statistics-parts';
import { Status } from './status';
import { Table } from './table';

/** Columns of the rates. */
const PARTS = 100;

const NOTHING: StatisticsAnswer = {
  atLeast: false,
  from: '0',
  width: '1',
  to: '0',
  columns: PARTS,
  cut: 0,
  method: [],
  group: [],
  count: [],
  counted: [],
  timed: [],
  total: [],
  least: [],
  p50: [],
  p90: [],
  p99: [],
  max: [],
  lossy: [],
  track: [],
  depth: [],
  begin: [],
  duration: [],
  begun: [],
};

/** Whether things of a subject are no calls, which could be selected. */
function isPoint(subject: Subject): boolean {
  return subject === 'events' || subject === 'messages';
}

/** How often things happen, over time too, and how long they take, by thread, core or process. */
export function Statistics({ model, scope }: { model: Model; scope: Scope }) {
  const subject = useModel(model, (m) => m.statistics.subject);
  const by = useModel(model, (m) => m.statistics.by);
  const asked = useStatistics(model, scope, 'statistics', { of: subject, by, columns: PARTS });
  const answer = asked.answer?.told ?? NOTHING;
  const theme = useModel(model, (m) => m.theme);
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState<number>();
  const columns = useMemo(() => columnsOf(model, answer, by, subject), [answer, theme]);
  const current = chosen !== undefined && chosen < answer.method.length ? chosen : undefined;
  const shown = current ?? (answer.method.length > 0 ? 0 : undefined);
  return (
    <div class="durations statistics">
      <Table
        label="Statistics"
        file={`${model.recording?.name ?? 'recording'}-statistics`}
        columns={columns}
        count={answer.method.length}
        data={answer}
        sort={{ column: 'count', descending: true }}
        filter={filter}
        onFilter={setFilter}
        text={(row) => `${fullName(model, answer.method[row]!)} ${groupName(model, by, answer.group[row]!)}`}
        current={current}
        onCurrent={setChosen}
        onAction={(action, row) => action === 'act' && row !== undefined && setChosen(row)}
        empty={
          !asked.answer
            ? ''
            : asked.answer.told
              ? `No ${SUBJECT_NAMES[subject].toLowerCase()} in this selection.`
              : ONLY_SERVER
        }
      >
        <Choice
          label="of"
          words={SUBJECTS}
          names={SUBJECT_NAMES}
          value={subject}
          onChoose={(word) => {
            setChosen(undefined);
            model.statistics.choose({ subject: word });
          }}
        />
        <Choice
          label="by"
          words={GROUPINGS}
          names={GROUPING_NAMES}
          value={by}
          onChoose={(word) => {
            setChosen(undefined);
            model.statistics.choose({ by: word });
          }}
        />
        <Status asked={asked}>{answer.cut > 0 && <small>{grouped(answer.cut)} others left out</small>}</Status>
      </Table>
      {shown !== undefined && <Pictures key={subject} model={model} scope={scope} answer={answer} row={shown} />}
    </div>
  );
}

/** When the things of a row happened, and how long they took when. */
function Pictures(props: { model: Model; scope: Scope; answer: StatisticsAnswer; row: number }) {
  const { model, scope, answer, row } = props;
  const subject = useModel(model, (m) => m.statistics.subject);
  const by = useModel(model, (m) => m.statistics.by);
  const method = answer.method[row]!;
  const group = answer.group[row]!;
  const heat = useStatistics(model, scope, 'heat', {
    of: subject,
    by,
    columns: COLUMNS,
    method,
    ...(by === 'none' ? {} : { group }),
  });
  const theme = useModel(model, (m) => m.theme);
  const begun = answer.begun.slice(row * answer.columns, (row + 1) * answer.columns);
  const most = begun.reduce((a, b) => Math.max(a, b), 0);
  const name = [fullName(model, method), groupName(model, by, group)].filter((each) => each !== '').join(', ');
  const says = (column: number) => {
    const [begin, end] = columnTimes(answer, column);
    return `${grouped(begun[column]!)} begun from ${exact(begin)} to ${exact(end)}: ${rate(begun[column]!, Number(answer.width))} a second`;
  };
  if (most === 0) {
    return (
      <div class="statistics-pictures">
        <p class="nothing">
          {name}: when they began is not known, or not in this time. They were only counted, or began before.
        </p>
      </div>
    );
  }
  return (
    <div class="statistics-pictures">
      <TimeChart
        model={model}
        title={`${name}: how many begin when`}
        columns={answer}
        layers={[{ colour: css(model.methods.colour(method, theme)), values: begun }]}
        most={most}
        top={grouped(most)}
        says={says}
        hint={`each column is ${brief(BigInt(answer.width))}; a click zooms there`}
        onShow={(column) => model.showInterval(...columnTimes(answer, column))}
      />
      <DurationPicture
        model={model}
        asked={{ ...heat, answer: heat.answer?.told }}
        method={method}
        things={subject === 'messages' || subject === 'events' || subject === 'calls' ? subject : 'states'}
        onShow={(map, cell) =>
          goThere(
            model,
            map.track[cell]!,
            map.depth[cell]!,
            // An event's time is that since the one before.
            BigInt(map.begin[cell]!) -
              (subject === 'events' && isEvent(model, method) ? BigInt(map.duration[cell]!) : 0n),
            BigInt(map.duration[cell]!),
            isPoint(subject),
          )
        }
      />
    </div>
  );
}

/** What rows are about; an event's name says little without its subsystem. */
function nameColumn(model: Model, answer: StatisticsAnswer): Column {
  const column = methodColumn(model, (row) => answer.method[row]!);
  return {
    ...column,
    title: 'Name',
    head: 'name',
    cell: (row) =>
      isEvent(model, answer.method[row]!) ? (
        <>
          <i class="swatch" style={{ background: css(model.methods.colour(answer.method[row]!, model.theme)) }} />
          <span class="method-name">{fullName(model, answer.method[row]!)}</span>
        </>
      ) : (
        column.cell!(row)
      ),
  };
}

/** Whether it is an event of the program's own. */
function isEvent(model: Model, method: number): boolean {
  return model.methods.get(method)?.event !== undefined;
}

function rate(number: number, nanos: number): string {
  const each = (number * 1e9) / Math.max(1, nanos);
  return each >= 100 ? grouped(Math.round(each)) : String(Number(each.toPrecision(3)));
}

function columnsOf(model: Model, answer: StatisticsAnswer, by: Grouping, subject: Subject): Column[] {
  const span = Math.max(1, Number(BigInt(answer.to) - BigInt(answer.from)));
  const hints = {
    calls: 'Of the time that calls have in the selection',
    events: 'Time since the event before of the same kind on the same thread',
    messages: 'From sending to receiving',
  };
  const hint = hints[subject as keyof typeof hints] ?? 'Of the time that states have in the selection';
  const time = (id: string, title: string, of: readonly number[]): Column => {
    const column = duration(id, title, hint, (row) => of[row]!);
    return {
      ...column,
      text: (row) => (answer.timed[row] ? ns(of[row]!) : ''),
      exact: (row) => (answer.timed[row] ? exactNs(of[row]!) : 'it is not known how long it took'),
    };
  };
  const number = count('count', 'Count', 'Of calls those that were only counted too', (row) => answer.count[row]!);
  const group = (row: number) => groupName(model, by, answer.group[row]!);
  return [
    nameColumn(model, answer),
    ...(by === 'none'
      ? []
      : [
          {
            id: 'group',
            title: GROUPING_NAMES[by].replace(/^./, (first) => first.toUpperCase()),
            head: GROUPING_NAMES[by],
            width: 'minmax(90px, 0.7fr)',
            value: group,
            text: group,
          },
        ]),
    { ...number, text: (row) => (answer.lossy[row] ? '≥' : '') + number.text(row) },
    {
      id: 'rate',
      title: 'A second',
      hint: 'On average over the selection',
      head: 'a second',
      number: true,
      width: 'var(--number-column)',
      value: (row) => answer.count[row]! / span,
      text: (row) => rate(answer.count[row]!, span),
    },
    time('p50', 'p50', answer.p50),
    time('p90', 'p90', answer.p90),
    time('p99', 'p99', answer.p99),
    time('max', 'Max', answer.max),
  ];
}
