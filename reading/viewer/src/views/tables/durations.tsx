import { useMemo, useState } from 'preact/hooks';
import { css } from '../../base/colours';
import { grouped, moment } from '../../base/time';
import type { DurationsAnswer, Scope } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import type { Model } from '../../state/model';
import { reveal } from '../../state/reveal';
import { type Asked, useAnswer } from '../parts/scope';
import { useModel } from '../parts/use';
import { duration, fullName } from './cells';
import { CountedNote } from './counted';
import type { Column } from './grid';
import { Histogram } from './histogram';
import { Scatter } from './scatter';
import { Status } from './status';
import { Table } from './table';

const NOTHING: DurationsAnswer = {
  calls: 0,
  bound: [],
  count: [],
  outliers: { track: [], depth: [], begin: [], duration: [] },
};

/** How long the calls of the marked method took, and which ones took longest. */
export function Durations({ model, scope }: { model: Model; scope: Scope }) {
  const method = useModel(model, (m) => m.selection.method);
  if (method === undefined) {
    return (
      <p class="panel-note">
        No method is marked. Click one in the Summary, the Call tree or the Flame graph: this shows how long its calls
        took, and leads to the longest.
      </p>
    );
  }
  return <DurationsOf key={method} model={model} scope={scope} method={method} />;
}

function DurationsOf({ model, scope, method }: { model: Model; scope: Scope; method: number }) {
  const key = `durations ${method} ${scopeKey(scope)}`;
  const asked = useAnswer<Named>(model, key, async (client, waiting) => {
    // The method may come from the address bar, and no other answer may contain it.
    return { ...(await client.durations(scope, method, waiting)), method: [method] };
  });
  const answer = asked.answer ?? NOTHING;
  const theme = useModel(model, (m) => m.theme);
  const [filter, setFilter] = useState('');
  const [current, setCurrent] = useState<number>();
  const columns = useMemo(() => columnsOf(model, answer), [answer]);
  const colour = css(model.methods.colour(method, theme));
  const { outliers } = answer;
  const show = (row: number) =>
    reveal(
      model,
      outliers.track[row]!,
      outliers.depth[row]!,
      BigInt(outliers.begin[row]!),
      BigInt(outliers.duration[row]!),
    );
  return (
    <div class="durations">
      <Histogram
        bound={answer.bound}
        count={answer.count}
        colour={colour}
        title={<Title model={model} asked={asked} method={method} />}
      />
      <Scatter model={model} scope={scope} method={method} />
      <Table
        label="Longest calls"
        file={`${model.recording?.name ?? 'recording'}-longest-calls`}
        columns={columns}
        count={outliers.duration.length}
        data={answer}
        sort={{ column: 'duration', descending: true }}
        filter={filter}
        onFilter={setFilter}
        text={(row) => model.recording?.tracks[outliers.track[row]!]?.name ?? ''}
        current={current}
        onCurrent={setCurrent}
        onAction={(action, row) => action === 'act' && row !== undefined && show(row)}
        empty={asked.answer ? 'No call of this method in this selection.' : ''}
      >
        <CountedNote model={model} scope={scope} method={method} missing="not in this list" />
        <Status asked={asked} />
      </Table>
    </div>
  );
}

type Named = DurationsAnswer & { method: readonly number[] };

function Title({ model, asked, method }: { model: Model; asked: Asked<Named>; method: number }) {
  const calls = asked.answer?.calls ?? 0;
  return (
    <>
      <i class="swatch" style={{ background: css(model.methods.colour(method, model.theme)) }} />
      <b>{fullName(model, method)}</b>{' '}
      {asked.answer && (
        <small>
          {grouped(calls)} {calls === 1 ? 'call' : 'calls'}
        </small>
      )}
    </>
  );
}

function columnsOf(model: Model, { outliers }: DurationsAnswer): Column[] {
  return [
    duration(
      'duration',
      'Duration',
      'From enter to leave, including the part outside the selection',
      (row) => outliers.duration[row]!,
      '96px',
    ),
    {
      id: 'begin',
      title: 'Begin',
      head: 'begin (ns)',
      number: true,
      width: '170px',
      value: (row) => BigInt(outliers.begin[row]!),
      text: (row) => moment(BigInt(outliers.begin[row]!)),
    },
    {
      id: 'thread',
      title: 'Thread',
      head: 'thread',
      width: 'minmax(100px, 1fr)',
      value: (row) => model.recording?.tracks[outliers.track[row]!]?.name ?? '',
      text: (row) => model.recording?.tracks[outliers.track[row]!]?.name ?? '',
    },
  ];
}
