import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { exact, grouped } from '../../base/time';
import { logTicks, shareAmong, type Tick } from '../../data/ticks';
import { ns } from './cells';

const HEIGHT = 100;
/** Even a single call among millions is visible. */
const LEAST = 3;

/**
 * The histogram of durations; both scales are logarithmic, so that rare long calls are visible beside many short ones.
 */
export function Histogram(props: {
  readonly bound: readonly number[];
  readonly count: readonly number[];
  readonly colour: string;
  readonly title: ComponentChildren;
  /** What is counted, if not calls. */
  readonly unit?: 'rows';
  /** How a bound is written, if it is not a duration. */
  readonly text?: (value: number) => string;
}) {
  const { bound, count, colour, text = ns } = props;
  const one = props.unit === 'rows' ? 'row' : 'call';
  const [pointed, setPointed] = useState<number>();
  const most = Math.max(1, ...count);
  const height = (calls: number) =>
    calls === 0 ? 0 : LEAST + (Math.log1p(calls) / Math.log1p(most)) * (HEIGHT - LEAST);
  const marks = marksOf(bound);
  const heights = logTicks(1, most, (calls) => height(calls) / HEIGHT, LABELS_APART);
  const here = pointed !== undefined && pointed < count.length ? pointed : undefined;
  const label = count
    .flatMap((calls, i) => (calls > 0 ? [`${grouped(calls)} from ${text(bound[i]!)} to ${text(bound[i + 1]!)}`] : []))
    .join('; ');
  return (
    <figure class="histogram">
      <figcaption>{props.title}</figcaption>
      <div class="histogram-axis" aria-hidden="true">
        {heights.map(({ value, share }) => (
          <span key={value} style={{ top: `${(1 - share) * 100}%` }}>
            {grouped(value)}
          </span>
        ))}
        <span class="unit">{one}s</span>
      </div>
      <svg
        viewBox={`0 0 ${Math.max(1, count.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${one === 'row' ? 'Rows by value' : 'Calls by duration'}: ${label}`}
      >
        {heights.map(({ value, share }) => (
          <line key={value} class="tick" x1={0} x2={count.length} y1={(1 - share) * HEIGHT} y2={(1 - share) * HEIGHT} />
        ))}
        {marks.map(({ value, share }) => (
          <line key={value} class="tick" x1={share * count.length} x2={share * count.length} y1={0} y2={HEIGHT} />
        ))}
        {count.map((calls, i) => (
          <g
            key={i}
            class={i === here ? 'pointed' : ''}
            onPointerEnter={() => setPointed(i)}
            onPointerLeave={() => setPointed(undefined)}
          >
            <rect x={i} y={0} width={1} height={HEIGHT} class="back" />
            <rect x={i + 0.06} y={HEIGHT - height(calls)} width={0.88} height={height(calls)} fill={colour} />
          </g>
        ))}
      </svg>
      <div class="histogram-marks" aria-hidden="true">
        {marks.map(({ share, value }) => (
          <span key={value} style={{ left: `${share * 100}%` }}>
            {props.text ? text(value) : exact(BigInt(value))}
          </span>
        ))}
      </div>
      <p class="histogram-said">
        {here === undefined ? (
          <small>both scales logarithmic</small>
        ) : (
          <>
            {text(bound[here]!)} to {text(bound[here + 1]!)}: <b>{grouped(count[here]!)}</b>{' '}
            {count[here] === 1 ? one : `${one}s`}
          </>
        )}
      </p>
    </figure>
  );
}

/** Minimum distance of labels, as shares of an axis, so that they can be read. */
const LABELS_APART = 0.22;
const MARKS_APART = 0.2;

/** Round durations below the bars. */
function marksOf(bound: readonly number[]): Tick[] {
  if (bound.length < 2) return [];
  return logTicks(bound[0]!, bound.at(-1)!, (value) => shareAmong(bound, value), MARKS_APART);
}
