import { useMemo, useState } from 'preact/hooks';
import { grouped } from '../../base/time';
import type { LocksAnswer, Scope } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import type { Model } from '../../state/model';
import { bringRowIntoSight } from '../../state/reveal';
import { useAnswer } from '../parts/scope';
import { nameOf } from '../parts/thread-name';
import { useModel } from '../parts/use';
import { count, duration, ns, withBar } from './cells';
import type { Column } from './grid';
import { Status } from './status';
import { Table } from './table';

interface Told {
  readonly locks: LocksAnswer | undefined;
}

const NOTHING: LocksAnswer = {
  recorded: false,
  process: [],
  kind: [],
  label: [],
  acquired: [],
  contended: [],
  failed: [],
  waited: [],
  waitedP99: [],
  waitedMax: [],
  held: [],
  heldMax: [],
  heldKnown: [],
  threads: [],
  kept: [],
  open: [],
  atLeast: [],
  longestTrack: [],
  longestBegin: [],
  cycles: [],
};

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
    const begin = BigInt(answer.longestBegin[row]!);
    model.showInterval(begin, begin + BigInt(answer.waitedMax[row]!));
    bringRowIntoSight(model, track, 0);
  };
  return (
    <Table
      label="Locks"
      file={`${model.recording?.name ?? 'recording'}-locks`}
      columns={columns}
      count={answer.label.length}
      data={answer}
      sort={{ column: 'waited', descending: true }}
      filter={filter}
      onFilter={setFilter}
      text={(row) => answer.label[row]!}
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

function columnsOf(model: Model, locks: LocksAnswer, several: boolean): Column[] {
  const whole = locks.waited.reduce((sum, time) => sum + time, 0);
  const unlessUnknown = (column: Column, known: (row: number) => boolean): Column => ({
    ...column,
    text: (row) => (known(row) ? column.text(row) : '?'),
  });
  const held = (row: number) => locks.heldKnown[row] === 1;
  const least = (row: number) => (locks.atLeast[row] === 1 || locks.open[row]! > 0 ? '≥ ' : '');
  const waited = duration('waited', 'Waited', 'Of all threads together', (row) => locks.waited[row]!, '190px');
  const pid = (row: number) => model.recording?.processes.find((p) => p.process === locks.process[row])?.pid ?? 0;
  const longest = (row: number) => (locks.longestTrack[row]! < 0 ? '' : nameOf(model, locks.longestTrack[row]!));
  return [
    {
      id: 'lock',
      title: 'Lock',
      head: 'lock',
      width: 'minmax(200px, 2fr)',
      value: (row) => locks.label[row]!,
      text: (row) => locks.label[row]!,
    },
    ...(several
      ? [
          {
            id: 'process',
            title: 'Process',
            head: 'process',
            number: true,
            width: '80px',
            value: pid,
            text: (row: number) => String(pid(row)),
          },
        ]
      : []),
    withBar({ ...waited, text: (row) => least(row) + ns(locks.waited[row]!) }, whole, (row) => locks.waited[row]!),
    count('contended', 'Contended', 'How often a thread had to wait', (row) => locks.contended[row]!),
    duration('waitedP99', 'p99', '99 of 100 waits were shorter', (row) => locks.waitedP99[row]!),
    duration('waitedMax', 'Longest', 'The longest wait: a click leads there', (row) => locks.waitedMax[row]!),
    {
      id: 'of',
      title: 'Of',
      hint: 'The thread with the longest wait',
      head: 'longest of',
      width: 'minmax(90px, 0.7fr)',
      value: longest,
      text: longest,
    },
    unlessUnknown(
      count(
        'acquired',
        'Acquired',
        'How often a thread got it; for Java, only waits are recorded',
        (row) => locks.acquired[row]!,
      ),
      held,
    ),
    unlessUnknown(
      duration(
        'held',
        'Held',
        'From acquiring to releasing it; for Java, only waits are recorded',
        (row) => locks.held[row]!,
      ),
      held,
    ),
    unlessUnknown(
      duration('heldMax', 'Held longest', 'The longest time that it was held', (row) => locks.heldMax[row]!),
      held,
    ),
    count('failed', 'Failed', 'How often a thread tried or waited without success', (row) => locks.failed[row]!),
    count('threads', 'Threads', 'Threads that used it; for Java, threads that waited', (row) => locks.threads[row]!),
    count('open', 'Still waiting', 'How many threads waited for it at the end', (row) => locks.open[row]!),
  ];
}
