import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { css } from '../../base/colours';
import { hashColour } from '../../base/hues';
import { brief, grouped } from '../../base/time';
import type { QueryAnswer } from '../../data/contract';
import { histogramOf, meaningOf, numbersOf } from '../../data/query-rows';
import { PALETTES } from '../../render/palette';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';
import { Histogram } from '../tables/histogram';

const NANOS = 1e9;
/** Keys and facts about rows, not values to be drawn. */
const KEYS = ['process', 'thread', 'method', 'call', 'parent', 'depth', 'object', 'event'];
const MOST_LINES = 6;

/** An answer as curves over its column with times, or over its first number. */
export function Chart({ model, answer, tools }: { model: Model; answer: QueryAnswer; tools: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useModel(model, (m) => m.theme);
  const { x, lines } = useMemo(() => axesOf(answer), [answer]);
  useEffect(() => {
    if (x < 0 || lines.length === 0) return;
    const isTime = meaningOf(answer.columns[x]!) === 'time';
    const order = numbersOf(answer, x)
      .map((value, row) => ({ value: isTime ? value / NANOS : value, row }))
      .filter(({ value }) => Number.isFinite(value))
      .sort((a, b) => a.value - b.value);
    const values = lines.map((line) => {
      const numbers = numbersOf(answer, line);
      return order.map(({ row }) => (Number.isFinite(numbers[row]) ? numbers[row]! : null));
    });
    const { text, line, faint } = PALETTES[theme];
    const axis = { stroke: faint, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    // Durations and numbers have an axis each.
    const scaleOf = (column: number) => (meaningOf(answer.columns[column]!) === 'duration' ? 'ns' : 'y');
    const scales = [...new Set(lines.map(scaleOf))];
    const plot = new UPlot(
      {
        ...sizeOf(box.current!),
        scales: { x: { time: false } },
        axes: [
          { ...axis, values: (_, ticks) => ticks.map((tick) => (isTime ? `${tick} s` : grouped(tick))) },
          ...scales.map((scale, i) => ({
            ...axis,
            scale,
            side: i === 0 ? 3 : 1,
            size: 74,
            values: (_: UPlot, ticks: number[]) => ticks.map((tick) => written(scale === 'ns', tick)),
          })),
        ],
        series: [
          {
            label: answer.columns[x]!.name,
            value: (_, value) => (value === null ? '' : isTime ? `${value} s` : String(value)),
          },
          ...lines.map((column) => {
            const stroke = css(hashColour(answer.columns[column]!.name, '', theme));
            return {
              label: answer.columns[column]!.name,
              scale: scaleOf(column),
              stroke,
              width: 1.6,
              points: { size: 5, stroke, fill: stroke },
              value: (_: UPlot, value: number | null) =>
                value === null ? '' : written(scaleOf(column) === 'ns', value),
            };
          }),
        ],
      },
      [order.map(({ value }) => value), ...values],
      box.current!,
    );
    box.current!.style.color = text;
    if (isTime) {
      plot.over.addEventListener('dblclick', () => {
        const at = plot.posToVal(plot.cursor.left ?? 0, 'x');
        if (at >= 0) model.goTo(BigInt(Math.round(at * NANOS)));
      });
    }
    const sizes = new ResizeObserver(() => {
      // The observer may fire after the chart was removed.
      if (box.current) plot.setSize(sizeOf(box.current));
    });
    sizes.observe(box.current!);
    return () => {
      sizes.disconnect();
      plot.destroy();
    };
  }, [answer, theme]);
  return (
    <section class="table">
      <div class="tools">{tools}</div>
      {x < 0 || lines.length === 0 ? (
        <p class="panel-note">A chart needs a column with times or numbers, and another one with numbers.</p>
      ) : (
        <div class="query-chart" ref={box} role="img" aria-label={`Chart of ${grouped(answer.rows.length)} rows`} />
      )}
    </section>
  );
}

/** Room for the plot, above its legend. */
function sizeOf(box: HTMLElement): { width: number; height: number } {
  return { width: box.clientWidth - 12, height: Math.max(120, box.clientHeight - 38) };
}

function written(isDuration: boolean, value: number): string {
  if (isDuration) return brief(BigInt(Math.round(value)));
  return Number.isInteger(value) ? grouped(value) : String(Math.round(value * 1e4) / 1e4);
}

function axesOf(answer: QueryAnswer): { x: number; lines: number[] } {
  const numbers = answer.columns.flatMap((column, i) =>
    meaningOf(column) !== 'other' && !KEYS.includes(column.name) ? [i] : [],
  );
  const x = numbers.find((i) => meaningOf(answer.columns[i]!) === 'time') ?? numbers[0] ?? -1;
  const lines = numbers.filter((i) => i !== x && meaningOf(answer.columns[i]!) !== 'time').slice(0, MOST_LINES);
  return { x, lines };
}

/** How the values of an answer are distributed: its durations, or its last number. */
export function QueryHistogram(props: { model: Model; answer: QueryAnswer; tools: ComponentChildren }) {
  const { model, answer } = props;
  const theme = useModel(model, (m) => m.theme);
  const numbers = answer.columns.flatMap((column, i) =>
    ['duration', 'number'].includes(meaningOf(column)) && !KEYS.includes(column.name) ? [i] : [],
  );
  const column = numbers.find((i) => answer.columns[i]!.name === 'duration') ?? numbers.at(-1);
  const buckets = useMemo(
    () => histogramOf(column === undefined ? [] : numbersOf(answer, column).filter((value) => value >= 0)),
    [answer],
  );
  return (
    <section class="table">
      <div class="tools">{props.tools}</div>
      {column === undefined || buckets.count.length === 0 ? (
        <p class="panel-note">A histogram needs a column with durations or numbers.</p>
      ) : (
        <Histogram
          bound={buckets.bound}
          count={buckets.count}
          colour={css(hashColour(answer.columns[column]!.name, '', theme))}
          unit="rows"
          {...(meaningOf(answer.columns[column]!) === 'duration' ? {} : { text: grouped })}
          title={
            <>
              <b>{answer.columns[column]!.name}</b> <small>{grouped(answer.rows.length)} rows</small>
            </>
          }
        />
      )}
    </section>
  );
}
