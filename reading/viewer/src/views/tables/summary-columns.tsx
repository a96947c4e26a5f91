import { briefCount } from '../../base/time';
import type { SelfTimes, SummaryAnswer } from '../../data/contract';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { showButterfly } from './butterfly';
import { count, duration, exactNs, fullName, methodColumn, ns, withBar } from './cells';
import type { Column } from './grid';

/** The columns for methods; a number that is not exact says so. */
export function summaryColumns(
  model: Model,
  answer: SummaryAnswer,
  corrected: boolean,
  goToLongest: (row: number) => void,
): Column[] {
  const whole = answer.self.reduce((sum, self) => sum + self, 0);
  const honest = (column: Column) => hedged(answer, column, true);
  const estimated = (column: Column) => hedged(answer, column, false);
  const self = duration(
    'self',
    'Self',
    'Time in the method itself, without its callees; paler: time in which it did not run',
    (row) => answer.self[row]!,
    'minmax(210px, 1fr)',
  );
  const total = duration(
    'total',
    'Total',
    'Time from enter to leave; of nested calls of the same method, the outermost counts',
    (row) => answer.total[row]!,
  );
  const method = methodColumn(model, (row) => answer.method[row]!);
  return [
    {
      ...method,
      cell: (row) => (
        <>
          {method.cell!(row)}
          <span class="space" />
          <button
            class="to-butterfly"
            tabIndex={-1}
            title="Callers and callees"
            aria-label="Callers and callees"
            onClick={() => showButterfly(model, answer.method[row]!)}
          >
            <Icon name="butterfly" />
          </button>
        </>
      ),
    },
    callsColumn(answer),
    honest(total),
    ...(corrected ? correctedColumn('corrected-total', 'Corrected total', answer.correctedTotal, answer) : []),
    withBar(estimated(self), whole, (row) => answer.self[row]!, { pale: (row) => waitedOf(answer, row) }),
    ...waitedColumn(answer),
    ...(corrected ? correctedColumn('corrected-self', 'Corrected self', answer.correctedSelf, answer) : []),
    estimated(duration('average', 'Average', 'Average duration of a call', (row) => answer.average[row]!)),
    duration('p50', 'p50', 'Half of the calls took no longer', (row) => answer.p50[row]!),
    duration('p99', 'p99', '99 of 100 calls took no longer', (row) => answer.p99[row]!),
    longestColumn(model, answer, goToLongest),
  ];
}

/** Of `SummaryAnswer.missing`: only times are lower bounds. */
const UNTIMED = 2;

/** How many calls; striped, as in the picture, if part of them was counted. */
function callsColumn(answer: SummaryAnswer): Column {
  const calls = count(
    'calls',
    'Calls',
    'Number of calls; striped: some of them were counted, not drawn',
    (row) => answer.calls[row]!,
  );
  const counted = (row: number) => answer.counted[row]!;
  const least = (row: number) => answer.missing[row] !== 0 && answer.missing[row] !== UNTIMED;
  const text = (row: number) => (least(row) ? '≥ ' : '') + calls.text(row);
  return {
    ...calls,
    width: '112px',
    text,
    exact: (row) =>
      [
        text(row) + (counted(row) > 0 ? ` calls, ${countedSays(answer.calls[row]!, counted(row))}` : ''),
        least(row) ? missingSays(answer, row) : '',
      ]
        .filter(Boolean)
        .join('\n'),
    cell: (row) => (
      <>
        {counted(row) > 0 && <i class="counted-mark" role="img" aria-label="counted" />}
        {text(row)}
      </>
    ),
  };
}

function countedSays(calls: number, counted: number): string {
  return counted === calls ? 'counted, not drawn' : `${briefCount(counted)} of them counted, not drawn`;
}

function missingSays(answer: SummaryAnswer, row: number): string {
  const why = [
    '',
    'this method was left out for part of the time',
    'the durations of some counted calls are not known',
    'events were lost',
  ][answer.missing[row]!];
  return why ? `at least: ${why}` : '';
}

/**
 * A measured number with `~` before it if it is an estimate, or `≥` if it is a lower bound. Self times and averages are
 * no bounds: what was lost may have been calls that they made.
 */
function hedged(answer: SummaryAnswer, column: Column, bound: boolean): Column {
  const estimated = (row: number) => answer.estimated[row] === 1;
  const least = (row: number) => bound && answer.missing[row] !== 0;
  const text = (row: number) => (least(row) ? '≥ ' : estimated(row) ? '~ ' : '') + column.text(row);
  const exact = (row: number) =>
    [
      column.exact!(row),
      estimated(row) ? 'about: some of the counted calls were not timed; their times are estimated from samples' : '',
      least(row) ? missingSays(answer, row) : '',
    ]
      .filter(Boolean)
      .join('\n');
  return { ...column, text, exact };
}

function correctedColumn(id: string, title: string, times: SummaryAnswer['error'], { error }: SummaryAnswer): Column[] {
  if (!times || !error) return [];
  const of = (row: number) => times[row] ?? 0;
  const words = (row: number, say: (time: number) => string) =>
    times[row] === null ? 'not known' : `${say(of(row))} ± ${say(error[row]!)}`;
  const column = duration(id, title, 'Without the cost of the probes, and the possible error', of, '150px');
  return [{ ...column, text: (row) => words(row, ns), exact: (row) => words(row, exactNs) }];
}

const REASONS: ReadonlyArray<readonly [keyof SelfTimes, string]> = [
  ['waiting', 'waiting, as the program reports'],
  ['stopped', 'stopped by the virtual machine'],
  ['blocked', 'waiting, as the kernel reports'],
  ['runnable', 'without a processor'],
  ['loading', 'loading classes'],
  ['running', 'running'],
  ['weaving', 'Kymo inserting probes into classes'],
];

/** The part of self in which the method itself did not run, as far as that is known. */
function waitedOf({ selfTime: times }: SummaryAnswer, row: number): number {
  return times
    ? times.weaving[row]! +
        times.waiting[row]! +
        times.stopped[row]! +
        times.blocked[row]! +
        times.runnable[row]! +
        times.loading[row]!
    : 0;
}

/** The same in numbers, if anything is known; with the reasons in the tooltip. */
function waitedColumn(answer: SummaryAnswer): Column[] {
  const { self, selfTime } = answer;
  if (!selfTime) return [];
  const waited = (row: number) => waitedOf(answer, row);
  const column = duration(
    'waited',
    'Waited',
    'The part of self in which the method itself did not run, as far as that was recorded',
    waited,
  );
  const reasons = (row: number) => {
    const known = REASONS.filter(([reason]) => selfTime[reason][row]! > 0);
    const rest = self[row]! - known.reduce((sum, [reason]) => sum + selfTime[reason][row]!, 0);
    return [
      ...known.map(([reason, says]) => `${ns(selfTime[reason][row]!)} ${says}`),
      ...(rest > 0 ? [`${ns(rest)} not known`] : []),
    ];
  };
  return [
    {
      ...column,
      text: (row) => (waited(row) > 0 ? ns(waited(row)) : ''),
      exact: (row) => [`of ${ns(self[row]!)} self:`, ...reasons(row)].join('\n'),
    },
  ];
}

function longestColumn(model: Model, answer: SummaryAnswer, goToLongest: (row: number) => void): Column {
  const max = duration(
    'max',
    'Max',
    'The longest call, including the part outside the selection',
    (row) => answer.max[row]!,
    '104px',
  );
  return {
    ...max,
    exact: (row) => max.exact!(row) + (answer.maxTrack[row]! < 0 ? '\nIt was counted: its place is not known.' : ''),
    cell: (row) => (
      <>
        <span>{max.text(row)}</span>
        {answer.maxTrack[row]! >= 0 && (
          <button
            class="go"
            tabIndex={-1}
            title="Go to the longest call (Shift Enter)"
            aria-label={`Go to the longest call of ${fullName(model, answer.method[row]!)}`}
            onClick={() => goToLongest(row)}
          >
            <Icon name="target" />
          </button>
        )}
      </>
    ),
  };
}
