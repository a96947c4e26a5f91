import { useMemo, useState } from 'preact/hooks';
import { byWhom, isKernel, kernelWords } from '../../base/states';
import type { Scope, ThreadsAnswer, Track } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import type { Model } from '../../state/model';
import { bringRowIntoSight } from '../../state/reveal';
import { useAnswer } from '../parts/scope';
import { nameOf, shortNumberOf } from '../parts/thread-name';
import { useModel } from '../parts/use';
import { count, ns, withBar } from './cells';
import { definedColumns, numberIn, pickedRows } from './defined';
import type { Column } from './grid';
import { Status } from './status';
import { Table } from './table';

interface Told {
  readonly threads: ThreadsAnswer | undefined;
  readonly method: readonly number[];
}

const NOTHING: ThreadsAnswer = { threads: { rows: 0, columns: [] }, track: [], method: [], other: [], reasonTime: [] };

/** What each thread did, and why it did not run. */
export function Threads({ model, scope }: { model: Model; scope: Scope }) {
  const asked = useAnswer<Told>(model, `threads ${scopeKey(scope)}`, async (client, waiting) => {
    const threads = await client.threads(scope, waiting);
    return { threads, method: [...new Set(threads?.method.flat() ?? [])] };
  });
  const answer = asked.answer?.threads ?? NOTHING;
  const tracks = useModel(model, (m) => m.recording?.tracks) ?? [];
  const current = useModel(model, (m) => m.current);
  const selected = useModel(model, (m) => m.selection.tracks);
  const rows = useMemo(
    () => answer.track.map((_, row) => row).filter((row) => selected.size === 0 || selected.has(answer.track[row]!)),
    [answer, selected],
  );
  const shown = useMemo(() => picked(answer, rows), [answer, rows]);
  const kernel = answer.threads.columns.some(({ id, values }) => id === 'running' && values.some((v) => v !== null));
  const [filter, setFilter] = useState('');
  const [at, setAt] = useState<number>();
  const columns = useMemo(() => columnsOf(model, shown, tracks), [shown, tracks, asked.answer]);
  const show = (row: number) => {
    model.current = shown.track[row];
    bringRowIntoSight(model, shown.track[row]!, 0);
    model.changed();
  };
  return (
    <Table
      key={kernel ? 'kernel' : 'program'}
      label="Threads"
      file={`${model.recording?.name ?? 'recording'}-threads`}
      columns={columns}
      count={shown.track.length}
      data={shown}
      sort={{ column: kernel ? 'running' : 'waited', descending: true }}
      filter={filter}
      onFilter={setFilter}
      text={(row) => `${nameOf(model, shown.track[row]!)} ${why(model, shown, row)}`}
      current={at}
      onCurrent={setAt}
      marked={(row) => shown.track[row] === current}
      onAction={(action, row) => action === 'act' && row !== undefined && show(row)}
      empty={
        !asked.answer
          ? ''
          : asked.answer.threads
            ? 'No thread in this selection.'
            : 'Only the server can answer this: use kymo view or kymo report --threads.'
      }
    >
      <Status asked={asked}>
        {asked.answer?.threads && !kernel && (
          <small>Running times of threads were not recorded: use kymo record --kernel cswitch</small>
        )}
      </Status>
    </Table>
  );
}

function picked(answer: ThreadsAnswer, rows: readonly number[]): ThreadsAnswer {
  const pick = <T,>(column: readonly T[]): T[] => rows.map((row) => column[row]!);
  return {
    threads: pickedRows(answer.threads, rows),
    track: pick(answer.track),
    method: pick(answer.method),
    other: pick(answer.other),
    reasonTime: pick(answer.reasonTime),
  };
}

function columnsOf(model: Model, threads: ThreadsAnswer, tracks: readonly Track[]): Column[] {
  const track = (row: number): Track | undefined => tracks[threads.track[row]!];
  const name = (row: number) => nameOf(model, threads.track[row]!);
  const pid = (row: number) => pidOf(model, track(row));
  const processes = new Set(threads.track.map((_, row) => pid(row)));
  const wall = (row: number) => numberIn(threads.threads, 'wall', row);
  const longest = Math.max(1, ...threads.track.map((_, row) => wall(row)));
  const calls = (row: number) => (track(row)?.kind === 'calls' ? track(row)!.calls : 0);
  const faint = (row: number) => (track(row) ? shortNumberOf(track(row)!) : '');
  return [
    {
      id: 'thread',
      title: 'Thread',
      head: 'thread',
      width: 'minmax(130px, 1fr)',
      value: name,
      text: (row) => `${name(row)} ${faint(row)}`,
      cell: (row) => (
        <>
          <span class="method-name">{name(row)}</span>
          <small class="package">{faint(row)}</small>
        </>
      ),
    },
    ...(processes.size > 1
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
    ...definedColumns(threads.threads).map((column) =>
      column.id === 'wall' ? withBar({ ...column, width: '190px' }, longest, wall) : column,
    ),
    count('calls', 'Calls', 'Recorded one by one, in the whole recording', calls),
    {
      id: 'why',
      title: 'Why it did not run',
      head: 'why it did not run',
      width: 'minmax(240px, 2fr)',
      value: (row) => why(model, threads, row),
      text: (row) => why(model, threads, row),
    },
  ];
}

/** A thread that only the kernel reports has the number of its process instead of a Java thread. */
function pidOf(model: Model, track: Track | undefined): number {
  if (track?.kind === 'scheduled') return track.javaId;
  return model.recording?.processes.find((p) => p.process === track?.process)?.pid ?? 0;
}

/** The longest reasons: `120 ms monitor app.Stock, worker-2`. */
function why(model: Model, threads: ThreadsAnswer, row: number): string {
  return threads.method[row]!.map((method, i) => {
    const state = model.methods.get(method);
    if (!state?.state) return '…';
    const other = threads.other[row]![i]!;
    const by = other < 0 ? undefined : nameOf(model, other);
    const words = isKernel(state.state)
      ? [kernelWords(state.state, state.name), byWhom(state.state, by)].filter(Boolean).join(', ')
      : `${state.type} ${state.name}`.trim() + (by === undefined ? '' : `, ${by}`);
    return `${ns(threads.reasonTime[row]![i]!)} ${words}`;
  }).join('; ');
}
