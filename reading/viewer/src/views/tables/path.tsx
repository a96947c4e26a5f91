import { useEffect, useMemo, useState } from 'preact/hooks';
import { css } from '../../base/colours';
import { isKernel, kernelWords, objectName, stateColour } from '../../base/states';
import { exact, grouped } from '../../base/time';
import { SLEEP } from '../../base/words';
import type { PathAnswer } from '../../data/contract';
import type { Method } from '../../data/methods';
import type { Model } from '../../state/model';
import { bringRowIntoSight } from '../../state/reveal';
import { useAnswer } from '../parts/scope';
import { nameOf } from '../parts/thread-name';
import { useModel } from '../parts/use';
import { duration, MethodName, ns, percent, withBar } from './cells';
import type { Column } from './grid';
import { Status } from './status';
import { Table } from './table';

const NOTHING: PathAnswer = {
  cut: false,
  kind: [],
  track: [],
  begin: [],
  duration: [],
  call: [],
  state: [],
  object: [],
  running: [],
  interrupted: [],
  runnable: [],
  blocked: [],
  unknown: [],
};
/** Number of threads named, those that took most of the time. */
const NAMED = 3;

/** What determined how long a stretch of a thread took, across threads. */
export function CriticalPath({ model }: { model: Model }) {
  const place = useModel(model, (m) => m.path.place);
  const other = useModel(model, (m) =>
    m.path.selected && !m.path.shows(m.path.selected) ? m.path.selected.from + m.path.selected.to : undefined,
  );
  useEffect(() => {
    if (!model.path.place && model.path.selected) model.path.ofSelection();
  }, [other]);
  if (!place) {
    return (
      <p class="panel-note">
        Select a call, or drag a time in the ruler and Ctrl + click one thread: this shows which threads determined when
        it ended, step by step backwards along who let whom go on.
      </p>
    );
  }
  return <PathOf key={`${place.track} ${place.from} ${place.to}`} model={model} other={other !== undefined} />;
}

interface Told {
  readonly path: PathAnswer | undefined;
  readonly method: readonly number[];
}

function PathOf({ model, other }: { model: Model; other: boolean }) {
  const place = model.path.place!;
  const asked = useAnswer<Told>(model, `path ${place.track} ${place.from} ${place.to}`, async (client, waiting) => {
    const path = await client.path(place, waiting);
    return {
      path,
      method: [...new Set([...(path?.call ?? []), ...(path?.state ?? [])])].filter((method) => method >= 0),
    };
  });
  const answer = asked.answer?.path ?? NOTHING;
  const theme = useModel(model, (m) => m.theme);
  useEffect(() => {
    model.path.draw(asked.answer?.path);
    return () => model.path.draw(undefined);
  }, [asked.answer]);
  const [filter, setFilter] = useState('');
  const [current, setCurrent] = useState<number>();
  const columns = useMemo(() => columnsOf(model, answer), [answer, theme]);
  const show = (row: number) => {
    model.path.goTo(row);
    bringRowIntoSight(model, answer.track[row]!, 0);
  };
  return (
    <Table
      label="Steps of the critical path"
      file={`${model.recording?.name ?? 'recording'}-critical-path`}
      columns={columns}
      count={answer.kind.length}
      data={answer}
      sort={{ column: 'begin', descending: false }}
      filter={filter}
      onFilter={setFilter}
      text={(row) => `${nameOf(model, answer.track[row]!)} ${what(model, answer, row)} ${leads(model, answer, row)}`}
      current={current}
      onCurrent={setCurrent}
      onAction={(action, row) => action === 'act' && row !== undefined && show(row)}
      empty={
        !asked.answer
          ? ''
          : asked.answer.path
            ? 'There is no step.'
            : 'Only the server can answer this: use kymo view or kymo why --path.'
      }
    >
      {other && (
        <button class="plain" title="Show the path of the current selection" onClick={() => model.path.ofSelection()}>
          Of the selection
        </button>
      )}
      <Status asked={asked}>{asked.answer?.path && <Sums model={model} path={answer} />}</Status>
    </Table>
  );
}

/** The threads with the largest shares of the path. */
function Sums({ model, path }: { model: Model; path: PathAnswer }) {
  const sums = new Map<string, number>();
  path.kind.forEach((kind, i) => {
    const name = nameOf(model, path.track[i]!);
    const key = kind === 'did' ? name : `${name}, ${what(model, path, i)}`;
    sums.set(key, (sums.get(key) ?? 0) + path.duration[i]!);
  });
  const whole = path.duration.reduce((sum, time) => sum + time, 0);
  const most = [...sums].sort((a, b) => b[1] - a[1]);
  return (
    <>
      <small>
        {ns(whole)}, {grouped(path.kind.length)} steps:{' '}
        {most
          .slice(0, NAMED)
          .map(([name, time]) => `${name} ${percent(time, whole)}`)
          .join('; ')}
        {most.length > NAMED && ' …'}
      </small>
      {path.cut && <span class="warn">goes on before the first step</span>}
    </>
  );
}

function columnsOf(model: Model, path: PathAnswer): Column[] {
  const whole = path.duration.reduce((sum, time) => sum + time, 0);
  return [
    {
      id: 'begin',
      title: 'Begin',
      head: 'begin (ns)',
      number: true,
      width: '160px',
      value: (row) => BigInt(path.begin[row]!),
      text: (row) => exact(BigInt(path.begin[row]!)),
    },
    withBar(
      duration('duration', 'Duration', 'How long the step took', (row) => path.duration[row]!, '190px'),
      whole,
      (row) => path.duration[row]!,
    ),
    words('thread', 'Thread', 'minmax(90px, 0.6fr)', (row) => nameOf(model, path.track[row]!)),
    {
      ...words('what', 'What it did', 'minmax(180px, 1.2fr)', (row) => what(model, path, row)),
      cell: (row) => <What model={model} path={path} row={row} />,
    },
    ...(path.unknown.some((time, row) => time < path.duration[row]!) ? kernelColumns(path) : []),
    words('then', 'Then', 'minmax(200px, 1.4fr)', (row) => leads(model, path, row)),
  ];
}

function kernelColumns(path: PathAnswer): Column[] {
  const time = (id: 'running' | 'runnable', title: string, hint: string): Column => ({
    ...duration(id, title, hint, (row) => path[id][row]!),
    text: (row) => (path.unknown[row] === path.duration[row] ? '' : ns(path[id][row]!)),
  });
  return [
    time('running', 'Running', 'On a processor'),
    time('runnable', 'Runnable', 'Wanted to run but had no processor'),
  ];
}

function words(id: string, title: string, width: string, of: (row: number) => string): Column {
  return { id, title, head: title.toLowerCase(), width, value: of, text: of };
}

function What({ model, path, row }: { model: Model; path: PathAnswer; row: number }) {
  if (path.kind[row] === 'did' && path.call[row]! >= 0) return <MethodName model={model} method={path.call[row]!} />;
  const state = stateOf(model, path, row);
  const colour = path.kind[row] === 'waited' && state?.state ? css(stateColour(state.state, model.theme)) : undefined;
  return (
    <>
      {colour && <i class="swatch" style={{ background: colour }} />}
      <span>{what(model, path, row)}</span>
    </>
  );
}

function stateOf(model: Model, path: PathAnswer, row: number): Method | undefined {
  return path.state[row]! < 0 ? undefined : model.methods.get(path.state[row]!);
}

function what(model: Model, path: PathAnswer, row: number): string {
  const state = stateOf(model, path, row);
  switch (path.kind[row]) {
    case 'did':
      return path.call[row]! < 0 ? 'runs' : (model.methods.get(path.call[row]!)?.full ?? '…');
    case 'waited':
      return isSleep(state) ? 'asleep' : `${waitWords(state, path.object[row]!)}; which thread ended that is not known`;
    case 'message':
      return `message in transit: ${state?.name ?? '…'}`;
    default:
      return 'not known yet';
  }
}

function isSleep(state: Method | undefined): boolean {
  return state?.state === SLEEP;
}

function waitWords(state: Method | undefined, object: number): string {
  if (!state?.state) return '…';
  if (isKernel(state.state)) return kernelWords(state.state, state.name);
  return `${state.type} ${state.name && objectName(state.name, object)}`.trim();
}

/** The thread that the thread of a step let continue. */
function leads(model: Model, path: PathAnswer, row: number): string {
  const next = path.track[row + 1];
  if (path.kind[row] !== 'did' || path.state[row]! < 0 || next === undefined || next === path.track[row]) return '';
  return `${nameOf(model, next)} continues after ${waitWords(stateOf(model, path, row), path.object[row]!)}`;
}
