import { useMemo, useState } from 'preact/hooks';
import { css } from '../../base/colours';
import { grouped } from '../../base/time';
import { valueText } from '../../base/values';
import type { CountersAnswer, Scope } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import { mainTrack } from '../../render/groups';
import type { Model } from '../../state/model';
import { eventName } from '../timeline/own-tips';
import { bringRowIntoSight } from '../../state/reveal';
import { useAnswer } from '../parts/scope';
import { useModel } from '../parts/use';
import { count } from './cells';
import type { Column } from './grid';
import { Status } from './status';
import { Table } from './table';

const NOTHING: CountersAnswer = { cut: 0, track: [], method: [], count: [], min: [], max: [], mean: [], last: [] };

/** Statistics of the program's own counters. */
export function Counters({ model, scope }: { model: Model; scope: Scope }) {
  const asked = useAnswer(model, 'counters ' + scopeKey(scope), (client, waiting) => client.counters(scope, waiting));
  const answer = asked.answer ?? NOTHING;
  const theme = useModel(model, (m) => m.theme);
  const [filter, setFilter] = useState('');
  const [current, setCurrent] = useState<number>();
  const columns = useMemo(() => columnsOf(model, answer), [answer, theme]);
  const left = useModel(
    model,
    (m) =>
      m.recording?.tracks.reduce((sum, track) => sum + (track.countersInAll ?? 0) - (track.counters?.length ?? 0), 0) ??
      0,
  );
  const show = (row: number) => {
    const track = answer.track[row]!;
    model.current = mainTrack(model.recording!, track);
    bringRowIntoSight(model, track, 0);
    model.changed();
  };
  return (
    <Table
      label="Counters"
      file={`${model.recording?.name ?? 'recording'}-counters`}
      columns={columns}
      count={answer.method.length}
      data={answer}
      sort={{ column: 'counter', descending: false }}
      filter={filter}
      onFilter={setFilter}
      text={(row) => `${eventName(model, answer.method[row]!)} ${threadOf(model, answer, row)}`}
      current={current !== undefined && current < answer.method.length ? current : undefined}
      onCurrent={setCurrent}
      onAction={(action, row) => action === 'act' && row !== undefined && show(row)}
      empty={asked.answer ? 'No counter had a value in this selection.' : ''}
    >
      <Status asked={asked}>
        {answer.cut > 0 && <small>{grouped(answer.cut)} others left out</small>}
        {left > 0 && (
          <small title="Only the first 32 counters of each thread are listed.">
            {grouped(left)} counters of threads with very many are not listed
          </small>
        )}
      </Status>
    </Table>
  );
}

function threadOf(model: Model, { track }: CountersAnswer, row: number): string {
  return model.recording?.tracks[track[row]!]?.name ?? '';
}

function columnsOf(model: Model, answer: CountersAnswer): Column[] {
  const name = (row: number) => eventName(model, answer.method[row]!);
  const thread = (row: number) => threadOf(model, answer, row);
  const fields = (row: number) => model.methods.get(answer.method[row]!)?.event?.fields ?? '';
  const value = (id: string, title: string, hint: string, of: readonly number[], unit = fields): Column => ({
    id,
    title,
    hint,
    head: title.toLowerCase(),
    number: true,
    width: '104px',
    value: (row) => of[row]!,
    text: (row) => valueText(of[row]!, unit(row)),
  });
  return [
    {
      id: 'counter',
      title: 'Counter',
      head: 'counter',
      width: 'minmax(180px, 1.4fr)',
      value: name,
      text: name,
      cell: (row) => (
        <>
          <i class="swatch" style={{ background: css(model.methods.colour(answer.method[row]!, model.theme)) }} />
          <span class="method-name">{name(row)}</span>
        </>
      ),
    },
    { id: 'thread', title: 'Thread', head: 'thread', width: 'minmax(100px, 1fr)', value: thread, text: thread },
    count('count', 'Values', 'How many values were recorded in the selection', (row) => answer.count[row]!),
    value('min', 'Min', 'Smallest value, including the one when the selection began', answer.min),
    value('max', 'Max', 'Largest value, including the one when the selection began', answer.max),
    // For yes and no, it is the share of the time of yes.
    value(
      'mean',
      'Mean',
      'Weighted by time: a value holds until the next one; for true and false, the share of time that it was true',
      answer.mean,
      () => '',
    ),
    value('last', 'Last', 'Value at the end of the selection', answer.last),
  ];
}
