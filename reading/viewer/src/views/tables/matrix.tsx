import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { grouped } from '../../base/time';
import type { Scope } from '../../data/contract';
import { type Grouping, GROUPINGS, MATRIX_KINDS, type MatrixAnswer, type MatrixKind } from '../../data/statistics';
import { cellSize, matrixCellAt, type MatrixScene, paintMatrix } from '../../render/matrix';
import { PALETTES } from '../../render/palette';
import type { Model } from '../../state/model';
import { type Measure, MEASURES } from '../../state/shown-statistics';
import { useModel } from '../parts/use';
import { count, duration, ns } from './cells';
import type { Column } from './grid';
import { Choice, goThere, groupName, GROUPING_NAMES, ONLY_SERVER, useSize, useStatistics } from './statistics-parts';
import { Status } from './status';
import { Table } from './table';

const NOTHING: MatrixAnswer = {
  atLeast: false,
  cut: 0,
  party: [],
  from: [],
  to: [],
  count: [],
  bytes: [],
  sized: [],
  total: [],
  least: [],
  p50: [],
  p99: [],
  most: [],
  firstTrack: [],
  firstDepth: [],
  firstBegin: [],
  firstDuration: [],
  longestTrack: [],
  longestDepth: [],
  longestBegin: [],
  longestDuration: [],
};

const KIND_NAMES: Readonly<Record<MatrixKind, string>> = {
  messages: 'messages',
  waits: 'waits that others ended',
  wakeups: 'wake-ups',
  switches: 'processors taken',
};
const MEASURE_NAMES: Readonly<Record<Measure, string>> = { count: 'number', bytes: 'size', latency: 'time' };
/** Pixels for the names beside a matrix. */
const NAMES = 120;
const PARTIES = GROUPINGS.slice(1);

/** Who sends how much to whom, or ends whose waits. */
export function Matrix({ model, scope }: { model: Model; scope: Scope }) {
  const kind = useModel(model, (m) => m.statistics.matrix);
  const by = useModel(model, (m) => m.statistics.parties);
  const measure = useModel(model, (m) => m.statistics.measure);
  const asked = useStatistics(model, scope, 'matrix', { of: kind, by });
  const answer = asked.answer?.told ?? NOTHING;
  const [filter, setFilter] = useState('');
  const [current, setCurrent] = useState<number>();
  const recording = useModel(model, (m) => m.recording);
  const columns = useMemo(() => columnsOf(model, answer, by), [answer, recording]);
  const name = (group: number) => groupName(model, by, group);
  const here = current !== undefined && current < answer.from.length ? current : undefined;
  const show = (cell: number) => {
    setCurrent(cell);
    goThere(
      model,
      answer.firstTrack[cell]!,
      answer.firstDepth[cell]!,
      BigInt(answer.firstBegin[cell]!),
      BigInt(answer.firstDuration[cell]!),
      kind === 'messages',
    );
  };
  return (
    <div class="durations matrix">
      {answer.from.length > 0 && (
        <Picture model={model} answer={answer} by={by} measure={measure} current={here} onShow={show} />
      )}
      <Table
        label="Matrix"
        file={`${model.recording?.name ?? 'recording'}-matrix`}
        columns={columns}
        count={answer.from.length}
        data={answer}
        sort={{ column: 'count', descending: true }}
        filter={filter}
        onFilter={setFilter}
        text={(row) => `${name(answer.from[row]!)} ${name(answer.to[row]!)}`}
        current={here}
        onCurrent={setCurrent}
        onAction={(action, row) => action === 'act' && row !== undefined && show(row)}
        empty={!asked.answer ? '' : asked.answer.told ? `No ${KIND_NAMES[kind]} in this selection.` : ONLY_SERVER}
      >
        <Choice
          label="of"
          words={MATRIX_KINDS}
          names={KIND_NAMES}
          value={kind}
          onChoose={(word) => model.statistics.choose({ matrix: word })}
        />
        <Choice
          label="by"
          words={PARTIES}
          names={GROUPING_NAMES}
          value={by}
          onChoose={(word) => model.statistics.choose({ parties: word })}
        />
        <Choice
          label="shows"
          words={MEASURES}
          names={MEASURE_NAMES}
          value={measure}
          onChoose={(word) => model.statistics.choose({ measure: word })}
        />
        <Status asked={asked}>{answer.cut > 0 && <small>{grouped(answer.cut)} pairs left out</small>}</Status>
      </Table>
    </div>
  );
}

function valueOf(answer: MatrixAnswer, measure: Measure): readonly number[] {
  if (measure === 'latency') return answer.p50;
  return measure === 'bytes' ? answer.bytes : answer.count;
}

/** A short text for a cell. */
function textOf(measure: Measure, value: number): string {
  if (measure === 'latency') return ns(value);
  return measure === 'bytes' ? size(value) : grouped(value);
}

function size(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

function Picture(props: {
  model: Model;
  answer: MatrixAnswer;
  by: Grouping;
  measure: Measure;
  current: number | undefined;
  onShow: (cell: number) => void;
}) {
  const { model, answer, by, measure } = props;
  const theme = useModel(model, (m) => m.theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [box, { width, height }] = useSize();
  const [pointed, setPointed] = useState<number>();
  const place = useMemo(() => new Map(answer.party.map((party, i) => [party, i])), [answer]);
  const value = valueOf(answer, measure);
  const scene: MatrixScene = {
    place,
    from: answer.from,
    to: answer.to,
    value,
    text: (cell) => textOf(measure, value[cell]!),
    size: cellSize(answer.party.length, Math.min(width - NAMES, height - NAMES / 2)),
    palette: PALETTES[theme],
    current: props.current,
  };
  useEffect(() => {
    if (width > 0) paintMatrix(canvas.current!, scene);
  });
  const at = (event: MouseEvent) => {
    const corner = canvas.current!.getBoundingClientRect();
    return matrixCellAt(scene, event.clientX - corner.left, event.clientY - corner.top);
  };
  const cell = pointed ?? props.current;
  const said = cell === undefined || cell >= answer.from.length ? undefined : says(model, answer, by, cell);
  const named = scene.size >= 12;
  const keyed = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const last = answer.from.length - 1;
    if (by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (by !== undefined) setPointed(Math.min(last, Math.max(0, (cell ?? -by) + by)));
    else if (cell !== undefined) props.onShow(cell);
  };
  const names = (side: 'left' | 'top') =>
    named &&
    answer.party.map((party, i) => (
      <span key={party} style={{ [side === 'left' ? 'top' : 'left']: `${(i + 0.5) * scene.size}px` }}>
        {groupName(model, by, party)}
      </span>
    ));
  return (
    <figure class="matrix-picture">
      <div class="matrix-room" ref={box}>
        <div class="matrix-top" aria-hidden="true">
          {names('top')}
        </div>
        <div class="matrix-left" aria-hidden="true">
          {names('left')}
        </div>
        <div
          class="matrix-field"
          tabIndex={0}
          role="application"
          aria-label={said ?? 'Who has how much to do with whom; arrow keys go through the pairs'}
          onKeyDown={keyed}
          onPointerMove={(event) => setPointed(at(event))}
          onPointerLeave={() => setPointed(undefined)}
          onClick={(event) => {
            const found = at(event);
            if (found !== undefined) props.onShow(found);
          }}
        >
          <canvas
            ref={canvas}
            aria-hidden="true"
            style={{
              width: `${answer.party.length * scene.size + 1}px`,
              height: `${answer.party.length * scene.size + 1}px`,
            }}
          />
        </div>
      </div>
      <p class="histogram-said" role="status">
        {said ?? <small>a row sends, or lets go on; a click leads to the first</small>}
      </p>
    </figure>
  );
}

function says(model: Model, answer: MatrixAnswer, by: Grouping, cell: number): string {
  const [from, to] = [groupName(model, by, answer.from[cell]!), groupName(model, by, answer.to[cell]!)];
  const bytes = answer.sized[cell]! > 0 ? `, ${size(answer.bytes[cell]!)}` : '';
  return `${from} → ${to}: ${grouped(answer.count[cell]!)}${bytes}, p50 ${ns(answer.p50[cell]!)}, max ${ns(answer.most[cell]!)}`;
}

function columnsOf(model: Model, answer: MatrixAnswer, by: Grouping): Column[] {
  const party = (id: string, title: string, of: readonly number[]): Column => {
    const text = (row: number) => groupName(model, by, of[row]!);
    return { id, title, head: title.toLowerCase(), width: 'minmax(90px, 1fr)', value: text, text };
  };
  const sized = answer.sized.some((number) => number > 0);
  return [
    party('from', 'From', answer.from),
    party('to', 'To', answer.to),
    count('count', 'Count', 'How many', (row) => answer.count[row]!),
    ...(sized
      ? [
          {
            ...count('bytes', 'Size', 'Of those messages that say one', (row) => answer.bytes[row]!),
            text: (row: number) => (answer.sized[row]! > 0 ? size(answer.bytes[row]!) : ''),
          },
        ]
      : []),
    duration('p50', 'p50', 'Until it was received, or the wait ended', (row) => answer.p50[row]!),
    duration('p99', 'p99', 'Until it was received, or the wait ended', (row) => answer.p99[row]!),
    duration('max', 'Max', 'The longest', (row) => answer.most[row]!),
    duration('total', 'Total', 'Of all together', (row) => answer.total[row]!),
  ];
}
