import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { grouped } from '../../base/time';
import { ns } from './cells';

const HEIGHT = 100;
/** Even a single call among millions is seen. */
const LEAST = 3;

/** How many calls took how long; both scales are logarithmic, so that rare long ones are seen beside many short ones. */
export function Histogram(props: {
  readonly bound: readonly number[];
  readonly count: readonly number[];
  readonly colour: string;
  readonly title: ComponentChildren;
}) {
  const { bound, count, colour } = props;
  const [pointed, setPointed] = useState<number>();
  const most = Math.max(1, ...count);
  const height = (calls: number) => (calls === 0 ? 0 : LEAST + (Math.log1p(calls) / Math.log1p(most)) * (HEIGHT - LEAST));
  const here = pointed !== undefined && pointed < count.length ? pointed : undefined;
  const label = count
    .flatMap((calls, i) => (calls > 0 ? [`${grouped(calls)} from ${ns(bound[i]!)} to ${ns(bound[i + 1]!)}`] : []))
    .join('; ');
  return (
    <figure class="histogram">
      <figcaption>{props.title}</figcaption>
      <div class="histogram-axis" aria-hidden="true">
        <span>{grouped(most)}</span>
        <span>calls</span>
      </div>
      <svg viewBox={`0 0 ${Math.max(1, count.length)} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`Calls by duration: ${label}`}>
        {count.map((calls, i) => (
          <g key={i} class={i === here ? 'pointed' : ''} onPointerEnter={() => setPointed(i)} onPointerLeave={() => setPointed(undefined)}>
            <rect x={i} y={0} width={1} height={HEIGHT} class="back" />
            <rect x={i + 0.06} y={HEIGHT - height(calls)} width={0.88} height={height(calls)} fill={colour} />
          </g>
        ))}
      </svg>
      <div class="histogram-marks" aria-hidden="true">
        {marks(bound).map(({ share, text }) => (
          <span key={text} style={{ left: `${share * 100}%` }}>
            {text}
          </span>
        ))}
      </div>
      <p class="histogram-said">
        {here === undefined ? (
          <small>both scales logarithmic</small>
        ) : (
          <>
            {ns(bound[here]!)} to {ns(bound[here + 1]!)}: <b>{grouped(count[here]!)}</b> {count[here] === 1 ? 'call' : 'calls'}
          </>
        )}
      </p>
    </figure>
  );
}

const MARKS = 4;

/** Durations below the bars, at the bounds between them. */
function marks(bound: readonly number[]): { share: number; text: string }[] {
  const bars = bound.length - 1;
  if (bars < 1) return [];
  const spaces = Math.min(bars, MARKS);
  return Array.from({ length: spaces + 1 }, (_, i) => {
    const place = Math.round((i * bars) / spaces);
    return { share: place / bars, text: ns(bound[place]!) };
  });
}
