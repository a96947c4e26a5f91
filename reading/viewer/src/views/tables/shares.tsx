import { useMemo } from 'preact/hooks';
import { css } from '../../base/colours';
import { exact } from '../../base/time';
import type { Scope } from '../../data/contract';
import { LEVELS, type ShareLevel, type SharesAnswer, type Subject } from '../../data/statistics';
import { highest } from '../../render/charts';
import type { Model } from '../../state/model';
import { TIMED } from '../../state/shown-statistics';
import { useModel } from '../parts/use';
import { ns, percent } from './cells';
import { Choice, columnTimes, ONLY_SERVER, SUBJECT_NAMES, TimeChart, useStatistics } from './statistics-parts';
import { Status } from './status';

const COLUMNS = 200;
const MOST = 24;

const NOTHING: SharesAnswer = {
  atLeast: false,
  from: '0',
  width: '1',
  to: '0',
  columns: COLUMNS,
  name: [],
  method: [],
  time: [],
  byColumn: [],
};

const LEVEL_NAMES: Readonly<Record<ShareLevel, string>> = { package: 'package', class: 'class', method: 'method' };
const KIND_NAMES: Readonly<Record<ShareLevel, string>> = { package: 'kind', class: 'kind', method: 'each' };

/** What the time of threads went to, by package or state, over time. */
export function Shares({ model, scope }: { model: Model; scope: Scope }) {
  const timed = useModel(model, (m) => m.statistics.timed);
  const level = useModel(model, (m) => m.statistics.level);
  const theme = useModel(model, (m) => m.theme);
  // States have kinds, which stand in the place of classes.
  const by = timed !== 'calls' && level === 'package' ? 'class' : level;
  const asked = useStatistics(model, scope, 'shares', { of: timed, by, columns: COLUMNS, most: MOST });
  const answer = asked.answer?.told ?? NOTHING;
  const layers = useMemo(
    () =>
      answer.name.map((_, group) => ({
        colour:
          answer.method[group]! < 0 ? 'rgb(136, 144, 158)' : css(model.methods.colour(answer.method[group]!, theme)),
        values: answer.byColumn.slice(group * answer.columns, (group + 1) * answer.columns),
      })),
    [answer, theme],
  );
  const most = highest(layers);
  const all = answer.time.reduce((sum, time) => sum + time, 0);
  const says = (column: number, layer: number | undefined) => {
    const [begin, end] = columnTimes(answer, column);
    const sum = layers.reduce((total, { values }) => total + values[column]!, 0);
    const when = `from ${exact(begin)} to ${exact(end)}`;
    if (layer === undefined) return `${threads(sum, answer)} ${when}`;
    const time = layers[layer]!.values[column]!;
    return `${answer.name[layer]}: ${ns(time)} of ${ns(sum)}, ${percent(time, sum)}, ${when}`;
  };
  return (
    <div class="durations shares">
      <section class="table">
        <div class="tools">
          <Choice<Subject>
            label="of"
            words={TIMED}
            names={SUBJECT_NAMES}
            value={timed}
            onChoose={(word) => model.statistics.choose({ timed: word })}
          />
          <Choice
            label="by"
            words={timed === 'calls' ? LEVELS : LEVELS.slice(1)}
            names={timed === 'calls' ? LEVEL_NAMES : KIND_NAMES}
            value={by}
            onChoose={(word) => model.statistics.choose({ level: word })}
          />
          <Status asked={asked} />
        </div>
        <ol class="shares-legend" aria-label="Groups, the largest first">
          {answer.name.map((name, group) => (
            <li key={name} title={`${exact(BigInt(answer.time[group]!))}, ${percent(answer.time[group]!, all)}`}>
              <i class="swatch" style={{ background: layers[group]!.colour }} />
              <span class="method-name">{name}</span>
              <small>{percent(answer.time[group]!, all)}</small>
            </li>
          ))}
        </ol>
      </section>
      {answer.name.length === 0 ? (
        <p class="panel-note">
          {!asked.answer ? '' : asked.answer.told ? 'Nothing of that took time in this selection.' : ONLY_SERVER}
        </p>
      ) : (
        <TimeChart
          model={model}
          title={timed === 'calls' ? 'Self time of all threads' : 'Time of all threads'}
          columns={answer}
          layers={layers}
          most={most}
          top={threads(most, answer)}
          says={says}
          hint="a click zooms there"
          onShow={(column) => model.showInterval(...columnTimes(answer, column))}
        />
      )}
    </div>
  );
}

/** How many threads take as much time as this in a column. */
function threads(time: number, { width }: SharesAnswer): string {
  const number = Number((time / Math.max(1, Number(width))).toPrecision(2));
  return `${number} ${number === 1 ? 'thread' : 'threads'}`;
}
