import { percent } from './cells';

interface Part {
  readonly name: string;
  readonly size: number;
  readonly colour: string;
}

const OUTER = 92;
const INNER = 58;
/** Thinner parts are merged. */
const LEAST = 0.008;

/** Shares as a ring; gaps as well as colours separate neighbours. The table has the same numbers. */
export function Ring(props: {
  readonly parts: readonly Part[];
  readonly whole: number;
  readonly said: (size: number) => string;
  readonly current: number | undefined;
  readonly onCurrent: (part: number | undefined) => void;
  readonly onChoose: (part: number) => void;
}) {
  const { parts, whole, said, current } = props;
  let begin = 0;
  const arcs = parts.flatMap((part, i) => {
    const share = whole > 0 ? part.size / whole : 0;
    if (share < LEAST) return [];
    const arc = { i, from: begin, to: begin + share };
    begin += share;
    return [arc];
  });
  const pointed = current === undefined ? undefined : parts[current];
  return (
    <svg class="ring" viewBox="-100 -100 200 200" role="img" aria-label="Shares of self time, as in the table">
      {begin < 1 && whole > 0 && <path d={sector(begin, 1)} class="others" />}
      {arcs.map(({ i, from, to }) => (
        <path
          key={i}
          d={sector(from, to)}
          fill={parts[i]!.colour}
          class={'part' + (i === current ? ' current' : '')}
          onPointerEnter={() => props.onCurrent(i)}
          onClick={() => props.onChoose(i)}
        >
          <title>{parts[i]!.name}</title>
        </path>
      ))}
      <text y={pointed ? -4 : -2} class="ring-size">
        {said(pointed ? pointed.size : whole)}
      </text>
      <text y={15} class="ring-note">
        {pointed ? percent(pointed.size, whole) : 'self time'}
      </text>
    </svg>
  );
}

/** A part of the ring; shares run clockwise from the top. */
function sector(from: number, to: number): string {
  // A whole circle has no two ends for an arc to join.
  const end = to - from > 0.9999 ? from + 0.9999 : to;
  const point = (share: number, radius: number) => {
    const angle = (share - 0.25) * 2 * Math.PI;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  };
  const large = end - from > 0.5 ? 1 : 0;
  return [
    `M${point(from, OUTER)}`,
    `A${OUTER} ${OUTER} 0 ${large} 1 ${point(end, OUTER)}`,
    `L${point(end, INNER)}`,
    `A${INNER} ${INNER} 0 ${large} 0 ${point(from, INNER)}Z`,
  ].join('');
}
