import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { exact } from '../../base/time';
import type { Scope } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import {
  type Grouping,
  statisticsKey,
  type StatisticsKind,
  type StatisticsQuestions,
  type Subject,
  type TimeColumns,
} from '../../data/statistics';
import { evenTicks } from '../../data/ticks';
import { type ChartScene, columnAt, type Layer, layerAt, paintColumns } from '../../render/charts';
import { PALETTES } from '../../render/palette';
import type { Model } from '../../state/model';
import { bringRowIntoSight, reveal } from '../../state/reveal';
import { type Asked, onAllTracks, useAnswer } from '../parts/scope';
import { nameOf } from '../parts/thread-name';
import { useModel } from '../parts/use';

export const ONLY_SERVER = 'Only the server can answer this: use kymo view or kymo report --statistics.';

interface Told<A> {
  readonly told: A | undefined;
  readonly atLeast?: boolean;
  readonly method?: readonly number[];
}

/** What a question was answered; `told` is undefined where nobody can answer. */
export function useStatistics<K extends StatisticsKind>(
  model: Model,
  scope: Scope,
  kind: K,
  question: StatisticsQuestions[K]['question'],
): Asked<Told<StatisticsQuestions[K]['answer']>> {
  const recording = useModel(model, (m) => m.recording);
  const threads = useModel(model, (m) => m.selection.tracks);
  const part = useMemo(() => onAllTracks(scope, recording, threads), [scope, recording, threads]);
  return useAnswer(model, statisticsKey(kind, question, scopeKey(part)), async (client, waiting) => {
    const told = await client.statistics(kind, question, part, waiting);
    const method = told && 'method' in told ? told.method.filter((each) => each >= 0) : [];
    return { told, method, ...(told?.atLeast ? { atLeast: true } : {}) };
  });
}

/** A choice among words. */
export function Choice<T extends string>(props: {
  readonly label: string;
  readonly words: readonly T[];
  readonly names: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChoose: (word: T) => void;
}) {
  return (
    <label class="choice">
      {props.label}
      <select
        aria-label={props.label}
        value={props.value}
        onChange={(event) => props.onChoose(event.currentTarget.value as T)}
      >
        {props.words.map((word) => (
          <option key={word} value={word}>
            {props.names[word]}
          </option>
        ))}
      </select>
    </label>
  );
}

export const SUBJECT_NAMES: Readonly<Record<Subject, string>> = {
  calls: 'Calls',
  events: 'Events',
  messages: 'Messages',
  waits: 'Waits',
  kernel: 'Scheduling',
  cpus: 'Processors',
  jvm: 'Virtual machine',
};

export const GROUPING_NAMES: Readonly<Record<Grouping, string>> = {
  none: 'all together',
  process: 'process',
  thread: 'thread',
  core: 'core',
};

/** The name of a group. */
export function groupName(model: Model, by: Grouping, group: number): string {
  switch (by) {
    case 'none':
      return '';
    case 'process': {
      const process = model.recording?.processes.find((each) => each.process === group);
      return process ? `${process.command.split(/[ /]/).at(-1)} (${process.pid})` : `process ${group}`;
    }
    case 'thread':
      return nameOf(model, group);
    case 'core':
      return group < 0 ? 'not known' : `core ${group}`;
  }
}

/** Leads to something: a call is selected, anything else is brought into sight. */
export function goThere(
  model: Model,
  track: number,
  depth: number,
  begin: bigint,
  duration: bigint,
  point: boolean,
): void {
  if (track < 0) return;
  if (!point) {
    reveal(model, track, depth, begin, duration);
    return;
  }
  const [from, to] = duration < 0n ? [begin + duration, begin] : [begin, begin + duration];
  model.showInterval(from - 1000n, to + 1000n);
  bringRowIntoSight(model, track, 0);
}

/** The width and height of an element that is there. */
export function useSize(): [{ readonly current: HTMLDivElement | null }, { width: number; height: number }] {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const sizes = new ResizeObserver(
      () => box.current && setSize({ width: box.current.clientWidth, height: box.current.clientHeight }),
    );
    sizes.observe(box.current!);
    return () => sizes.disconnect();
  }, []);
  return [box, size];
}

const TIMES = 4;

/** Columns over time, maybe of several layers; what is at the pointer is told below. */
export function TimeChart(props: {
  readonly model: Model;
  readonly title: string;
  readonly columns: TimeColumns | undefined;
  readonly layers: readonly Layer[];
  readonly most: number;
  /** What is written at the top of the axis. */
  readonly top: string;
  readonly says: (column: number, layer: number | undefined) => string;
  readonly hint: string;
  readonly onShow: (column: number, layer: number | undefined) => void;
}) {
  const { model, columns, layers } = props;
  const theme = useModel(model, (m) => m.theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [box, size] = useSize();
  const [here, setHere] = useState<{ column: number; layer: number | undefined }>();
  const scene: ChartScene = {
    layers,
    most: Math.max(1, props.most),
    select: PALETTES[theme].select,
    current: here?.column,
    ...size,
  };
  useEffect(() => {
    if (size.width > 0) paintColumns(canvas.current!, scene);
  });
  const from = Number(columns?.from ?? 0);
  const to = from + Number(columns?.width ?? 1) * (columns?.columns ?? 1);
  const times = useMemo(() => evenTicks(from, to, TIMES), [from, to]);
  const at = (event: MouseEvent) => {
    const place = box.current!.getBoundingClientRect();
    const column = columnAt(columns?.columns ?? 0, size.width, event.clientX - place.left);
    return column === undefined ? undefined : { column, layer: layerAt(scene, column, event.clientY - place.top) };
  };
  const said = here && here.column < (columns?.columns ?? 0) ? props.says(here.column, here.layer) : undefined;
  const keyed = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const last = (columns?.columns ?? 0) - 1;
    if (last < 0 || (by === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    event.stopPropagation();
    if (by !== undefined)
      setHere({ column: Math.min(last, Math.max(0, (here?.column ?? -by) + by)), layer: undefined });
    else if (here) props.onShow(here.column, here.layer);
  };
  return (
    <figure class="scatter time-chart">
      <figcaption>
        <small>{props.title}</small>
      </figcaption>
      <div class="histogram-axis" aria-hidden="true">
        <span style={{ top: '0.6em' }}>{props.top}</span>
        <span style={{ bottom: '-0.6em' }}>0</span>
      </div>
      <div
        class="scatter-field"
        ref={box}
        tabIndex={0}
        role="application"
        aria-label={said ?? `${props.title}; arrow keys go through the time`}
        onKeyDown={keyed}
        onPointerMove={(event) => setHere(at(event))}
        onPointerLeave={() => setHere(undefined)}
        onClick={(event) => {
          const place = at(event);
          if (place) props.onShow(place.column, place.layer);
        }}
      >
        {times.map(({ value, share }) => (
          <i key={value} class="tick-column" style={{ left: `${share * 100}%` }} />
        ))}
        <canvas ref={canvas} aria-hidden="true" style={{ width: `${size.width}px`, height: `${size.height}px` }} />
      </div>
      <div class="histogram-marks" aria-hidden="true">
        {times.map(({ value, share }) => (
          <span key={value} style={{ left: `${share * 100}%` }}>
            {exact(BigInt(value))}
          </span>
        ))}
      </div>
      <p class="histogram-said" role="status">
        {said ?? <small>{props.hint}</small>}
      </p>
    </figure>
  );
}

/** Begin and end of a column. */
export function columnTimes(columns: TimeColumns, column: number): readonly [bigint, bigint] {
  const begin = BigInt(columns.from) + BigInt(columns.width) * BigInt(column);
  return [begin, begin + BigInt(columns.width)];
}
