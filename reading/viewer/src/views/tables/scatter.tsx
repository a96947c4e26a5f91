import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { css } from '../../base/colours';
import { exact, grouped } from '../../base/time';
import type { LatenciesAnswer, Scope } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import { evenTicks, logTicks, shareAmong } from '../../data/ticks';
import { PALETTES } from '../../render/palette';
import { cellAt, paintScatter, type ScatterScene } from '../../render/scatter';
import type { Model } from '../../state/model';
import { reveal } from '../../state/reveal';
import { type Asked, useAnswer } from '../parts/scope';
import { useModel } from '../parts/use';
import { ns } from './cells';

export const COLUMNS = 200;
const NOTHING: LatenciesAnswer = {
  from: '0',
  width: '1',
  bound: [],
  column: [],
  row: [],
  count: [],
  track: [],
  depth: [],
  begin: [],
  duration: [],
};
const ROWS_APART = 0.16;
const TIMES = 3;

/** Durations of the calls of a method over time; a click leads to the longest one at the pointer. */
export function Scatter({ model, scope, method }: { model: Model; scope: Scope; method: number }) {
  const key = `latencies ${method} ${scopeKey(scope)}`;
  const asked = useAnswer<LatenciesAnswer & { method: readonly number[] }>(model, key, async (client, waiting) => {
    return { ...(await client.latencies(scope, method, COLUMNS, waiting)), method: [method] };
  });
  const show = (answer: LatenciesAnswer, cell: number) =>
    reveal(
      model,
      answer.track[cell]!,
      answer.depth[cell]!,
      BigInt(answer.begin[cell]!),
      BigInt(answer.duration[cell]!),
    );
  return <DurationPicture model={model} asked={asked} method={method} things="calls" onShow={show} />;
}

/** Cells of durations over time. */
export function DurationPicture(props: {
  readonly model: Model;
  readonly asked: Asked<LatenciesAnswer>;
  /** The one whose colour they have. */
  readonly method: number;
  /** What there are many of in a cell. */
  readonly things: string;
  readonly onShow: (answer: LatenciesAnswer, cell: number) => void;
}) {
  const { model, asked, method, things } = props;
  const answer = asked.answer ?? NOTHING;
  const theme = useModel(model, (m) => m.theme);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [current, setCurrent] = useState<number>();
  useEffect(() => setCurrent(undefined), [asked.answer]);
  useEffect(() => {
    const sizes = new ResizeObserver(
      () => box.current && setSize({ width: box.current.clientWidth, height: box.current.clientHeight }),
    );
    sizes.observe(box.current!);
    return () => sizes.disconnect();
  }, []);
  const scene: ScatterScene = {
    answer,
    columns: COLUMNS,
    colour: css(model.methods.colour(method, theme)),
    select: PALETTES[theme].select,
    ...size,
    current,
  };
  useEffect(() => {
    if (size.width > 0) paintScatter(canvas.current!, scene);
  });
  const begin = BigInt(answer.from);
  const span = Number(answer.width) * COLUMNS;
  const rows = useMemo(
    () =>
      answer.bound.length < 2
        ? []
        : logTicks(answer.bound[0]!, answer.bound.at(-1)!, (value) => shareAmong(answer.bound, value), ROWS_APART),
    [answer],
  );
  const times = useMemo(() => evenTicks(Number(begin), Number(begin) + span, TIMES), [answer]);
  const show = (cell: number | undefined) => {
    if (cell === undefined) return;
    setCurrent(cell);
    props.onShow(answer, cell);
  };
  const keyed = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const last = answer.count.length - 1;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (last < 0 || (by === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    event.stopPropagation();
    if (by === undefined) show(current);
    else setCurrent(current === undefined ? (by > 0 ? 0 : last) : Math.min(last, Math.max(0, current + by)));
  };
  const at = (event: MouseEvent) => {
    const place = box.current!.getBoundingClientRect();
    return cellAt(scene, event.clientX - place.left, event.clientY - place.top);
  };
  const said =
    current === undefined || current >= answer.count.length ? undefined : says(model, answer, current, things);
  return (
    <figure class="scatter">
      <figcaption>
        <small>Duration over time</small>
      </figcaption>
      <div class="histogram-axis" aria-hidden="true">
        {rows.map(({ value, share }) => (
          <span key={value} style={{ top: `${(1 - share) * 100}%` }}>
            {exact(BigInt(value))}
          </span>
        ))}
      </div>
      <div
        class="scatter-field"
        ref={box}
        tabIndex={0}
        role="application"
        aria-label={said ?? `By begin and duration, ${things}; arrow keys go through them`}
        onKeyDown={keyed}
        onPointerMove={(event) => setCurrent(at(event))}
        onPointerLeave={() => setCurrent(undefined)}
        onClick={(event) => show(at(event))}
      >
        {rows.map(({ value, share }) => (
          <i key={value} class="tick-row" style={{ top: `${(1 - share) * 100}%` }} />
        ))}
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
        {said ?? (
          <small>{asked.busy ? 'reading' : `a click leads to the longest ${things.replace(/s$/, '')} there`}</small>
        )}
      </p>
    </figure>
  );
}

function says(model: Model, answer: LatenciesAnswer, cell: number, things: string): string {
  const { count, bound, row, track, duration } = answer;
  const calls = count[cell]!;
  const thread = model.recording?.tracks[track[cell]!]?.name ?? '';
  const at = exact(BigInt(answer.begin[cell]!));
  if (calls === 1) return `${ns(duration[cell]!)} at ${at}, ${thread}`;
  return `${grouped(calls)} ${things} of ${ns(bound[row[cell]!]!)} to ${ns(bound[row[cell]! + 1]!)}; the longest at ${at}, ${thread}`;
}
