import { useMemo, useState } from 'preact/hooks';
import { grouped } from '../../base/time';
import type { LocksAnswer, Scope } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import type { Model } from '../../state/model';
import { bringRowIntoSight } from '../../state/reveal';
import { useAnswer } from '../parts/scope';
import { nameOf } from '../parts/thread-name';
import { useModel } from '../parts/use';
import { withBar } from './cells';
import { definedColumns, numberIn, textIn } from './defined';
import type { Column } from './grid';
import { Status } from './status';
import { Table } from './table';

interface Told {
  readonly locks: LocksAnswer | undefined;
}

const NOTHING: LocksAnswer = {
  recorded: false,
  locks: { rows: 0, columns: [] },
  longestTrack: [],
  cycles: [],
};

/** Marks and clicks say what some of these do. */
const HIDDEN = [
  'kind',
  'name',
  'address',
  'waited_p50',
  'held_p50',
  'held_p99',
  'longest_thread',
  'longest_begin',
  'at_least',
];
const FIRST = [
  'object',
  'process',
  'waited',
  'contended',
  'waited_p99',
  'waited_max',
  'longest_thread_name',
  'acquired',
  'held',
  'held_max',
];

/** Which locks threads waited for and held, and whether they deadlocked. */
export function Locks({ model, scope }: { model: Model; scope: Scope }) {
  const { from, to } = scope;
  const time = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const asked = useAnswer<Told & { method?: readonly number[] }>(
    model,
    `locks ${scopeKey(time)}`,
    async (client, waiting) => ({
      locks: await client.locks(time, waiting),
    }),
  );
  const answer = asked.answer?.locks ?? NOTHING;
  const several = useModel(model, (m) => (m.recording?.processes.length ?? 0) > 1);
  const [filter, setFilter] = useState('');
  const [current, setCurrent] = useState<number>();
  const columns = useMemo(() => columnsOf(model, answer, several), [answer, several]);
  const show = (row: number) => {
    const track = answer.longestTrack[row]!;
    if (track < 0) return;
    const begin = BigInt(textIn(answer.locks, 'longest_begin', row));
    model.showInterval(begin, begin + BigInt(numberIn(answer.locks, 'waited_max', row)));
    bringRowIntoSight(model, track, 0);
  };
  return (
    <Table
      label="Locks"
      file={`${model.recording?.name ?? 'recording'}-locks`}
      columns={columns}
      count={answer.locks.rows}
      data={answer}
      sort={{ column: 'waited', descending: true }}
      filter={filter}
      onFilter={setFilter}
      text={(row) => textIn(answer.locks, 'object', row)}
      current={current}
      onCurrent={setCurrent}
      onAction={(action, row) => action === 'act' && row !== undefined && show(row)}
      empty={
        !asked.answer
          ? ''
          : asked.answer.locks
            ? 'No lock in this selection.'
            : 'Only the server can answer this: use kymo view or kymo report --locks.'
      }
    >
      <Status asked={asked}>
        {answer.cycles.map((_, i) => (
          <Cycle key={i} model={model} locks={answer} number={i} />
        ))}
      </Status>
    </Table>
  );
}

/** A deadlock, or a possible one. */
function Cycle({ model, locks, number }: { model: Model; locks: LocksAnswer; number: number }) {
  const cycle = locks.cycles[number]!;
  const steps = cycle.track
    .map((track, i) => `${nameOf(model, track)} has ${cycle.held[i]} and wants ${cycle.wanted[i]}`)
    .join('; ');
  const go = () => {
    model.goTo(BigInt(cycle.time[0]!));
    if (cycle.track[0]! >= 0) bringRowIntoSight(model, cycle.track[0]!, 0);
  };
  return (
    <button class="link warn" title={steps} onClick={go}>
      {cycle.happened ? 'deadlock' : 'possible deadlock'} of {grouped(cycle.track.length)} threads:{' '}
      {cycle.track.map((track) => nameOf(model, track)).join(', ')}
    </button>
  );
}

function columnsOf(model: Model, { locks, longestTrack }: LocksAnswer, several: boolean): Column[] {
  const waited = (row: number) => numberIn(locks, 'waited', row);
  let whole = 0;
  for (let row = 0; row < locks.rows; row++) whole += waited(row);
  const process = (row: number) => numberIn(locks, 'process', row);
  const pid = (row: number) => model.recording?.processes.find((p) => p.process === process(row))?.pid ?? 0;
  const longest = (row: number) => (longestTrack[row]! < 0 ? '' : nameOf(model, longestTrack[row]!));
  const hidden = several ? HIDDEN : [...HIDDEN, 'process'];
  return definedColumns(locks, { first: FIRST, hidden }).map((column) => {
    switch (column.id) {
      case 'object':
        return { ...column, width: 'minmax(200px, 2fr)' };
      case 'process':
        return { ...column, value: pid, text: (row: number) => String(pid(row)) };
      case 'waited':
        return withBar({ ...column, width: '190px' }, whole, waited);
      case 'longest_thread_name':
        return { ...column, value: longest, text: longest };
      case 'waited_max':
        return { ...column, hint: `${column.hint}: a click leads there` };
      default:
        return column;
    }
  });
}
