import { useMemo, useState } from 'preact/hooks';
import { css } from '../../base/colours';
import { grouped } from '../../base/time';
import type { ButterflyAnswer, ButterflySide, Scope } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import type { Model } from '../../state/model';
import { useAnswer } from '../parts/scope';
import { useModel } from '../parts/use';
import { count, duration, exactNs, fullName, MethodName, methodTitle, ns, percent, withBar } from './cells';
import { CountedNote } from './counted';
import type { Column } from './grid';
import { Status } from './status';
import { Table } from './table';

const NO_ROWS: ButterflySide = { cut: 0, method: [], calls: [], total: [] };
const NOTHING: Named = {
  atLeast: false,
  calls: 0,
  total: 0,
  self: 0,
  itself: 0,
  callers: NO_ROWS,
  callees: NO_ROWS,
  method: [],
};

type Named = ButterflyAnswer & { readonly method: readonly number[] };

/** Shows the callers and callees of the selected call's method; without one, of the marked one. */
export function showButterfly(model: Model, method = model.call?.method): void {
  if (method !== undefined) model.selection.mark(method);
  model.panel.show('butterfly');
}

/** The callers and callees of the marked method. */
export function Butterfly({ model, scope }: { model: Model; scope: Scope }) {
  const method = useModel(model, (m) => m.selection.method);
  if (method === undefined) {
    return (
      <p class="panel-note">
        No method is marked. Click one in the Summary, the Call tree or the Flame graph, or select a call and press Y:
        this shows who called the method, and what it called.
      </p>
    );
  }
  return <ButterflyOf model={model} scope={scope} method={method} />;
}

function ButterflyOf({ model, scope, method }: { model: Model; scope: Scope; method: number }) {
  const asked = useAnswer<Named>(model, `butterfly ${method} ${scopeKey(scope)}`, async (client, waiting) => {
    const answer = await client.butterfly(scope, method, waiting);
    return {
      ...answer,
      method: [method, ...answer.callers.method, ...answer.callees.method].filter((each) => each >= 0),
    };
  });
  const answer = asked.answer ?? NOTHING;
  const theme = useModel(model, (m) => m.theme);
  const { calls, total, self } = answer;
  const file = `${model.recording?.name ?? 'recording'}-butterfly`;
  return (
    <div class="butterfly">
      <p class="butterfly-of">
        <i class="swatch" style={{ background: css(model.methods.colour(method, theme)) }} />
        <b title={methodTitle(model, method)}>{fullName(model, method)}</b>
        {asked.answer && (
          <span title={`${exactNs(total)}; self ${exactNs(self)}`}>
            {grouped(calls)} {calls === 1 ? 'call' : 'calls'} · total {ns(total)} · self {ns(self)} (
            {percent(self, total)})
          </span>
        )}
        <CountedNote model={model} scope={scope} method={method} missing="caller unknown" />
        <Status asked={asked} />
      </p>
      <div class="butterfly-sides">
        <Side
          model={model}
          title="Called by"
          file={`${file}-callers`}
          side={answer.callers}
          whole={total}
          answered={asked.answer !== undefined}
          nobody="no caller recorded"
        />
        <Side
          model={model}
          title="Calls to"
          file={`${file}-callees`}
          side={withItself(answer)}
          whole={total}
          answered={asked.answer !== undefined}
          nobody="the method itself"
        />
      </div>
    </div>
  );
}

/** Has the method's self time as a row, so that the shares add up to the whole. */
function withItself({ calls, itself, callees }: Named): ButterflySide {
  if (calls === 0) return callees;
  return {
    cut: callees.cut,
    method: [-1, ...callees.method],
    calls: [0, ...callees.calls],
    total: [itself, ...callees.total],
  };
}

function Side(props: {
  readonly model: Model;
  readonly title: string;
  readonly file: string;
  readonly side: ButterflySide;
  readonly whole: number;
  readonly answered: boolean;
  /** The text of the row that is not a method. */
  readonly nobody: string;
}) {
  const { model, title, side, whole, nobody } = props;
  const theme = useModel(model, (m) => m.theme);
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState<number>();
  const name = (row: number) => (side.method[row]! < 0 ? nobody : fullName(model, side.method[row]!));
  const columns = useMemo((): Column[] => {
    const time =
      title === 'Calls to'
        ? 'Time of the calls that it made'
        : 'Time of its calls from there; of nested calls, the outermost counts';
    return [
      {
        id: 'method',
        title,
        head: 'method',
        width: 'minmax(130px, 1.3fr)',
        value: name,
        text: name,
        exact: (row) => (side.method[row]! < 0 ? nobody : methodTitle(model, side.method[row]!)),
        cell: (row) =>
          side.method[row]! < 0 ? (
            <em class="nobody">{nobody}</em>
          ) : (
            <MethodName model={model} method={side.method[row]!} />
          ),
      },
      withBar(
        duration('total', 'Total', time, (row) => side.total[row]!, 'minmax(170px, 1fr)'),
        whole,
        (row) => side.total[row]!,
      ),
      {
        ...count('calls', 'Calls', 'Number of calls', (row) => side.calls[row]!),
        text: (row) => (title === 'Calls to' && side.method[row]! < 0 ? '' : grouped(side.calls[row]!)),
      },
    ];
  }, [side, theme]);
  return (
    <Table
      label={title}
      file={props.file}
      columns={columns}
      count={side.method.length}
      data={side}
      sort={{ column: 'total', descending: true }}
      filter={filter}
      onFilter={setFilter}
      text={name}
      current={chosen !== undefined && chosen < side.method.length ? chosen : undefined}
      onCurrent={setChosen}
      onAction={(action, row) => {
        if (action !== 'act' || row === undefined || side.method[row]! < 0) return;
        setChosen(undefined);
        model.selection.mark(side.method[row]!);
      }}
      empty={props.answered ? 'No call of this method was recorded in this selection.' : ''}
    >
      {side.cut > 0 && <small>{grouped(side.cut)} smallest left out</small>}
    </Table>
  );
}
