import { useMemo, useState } from 'preact/hooks';
import type { Scope, SummaryAnswer } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import { Icon } from '../icons';
import type { Model } from '../model';
import { reveal } from '../reveal';
import { useAnswer, type Asked } from '../scope';
import { useModel } from '../use';
import { count, duration, fullName, methodColumn, withBar } from './cells';
import type { Column } from './grid';
import { Status } from './status';
import { Table } from './table';

const NOTHING: SummaryAnswer = {
  atLeast: false,
  method: [],
  calls: [],
  total: [],
  self: [],
  average: [],
  p50: [],
  p99: [],
  max: [],
  maxTrack: [],
  maxDepth: [],
  maxBegin: [],
};

export function useSummary(model: Model, scope: Scope): Asked<SummaryAnswer> {
  return useAnswer(model, 'summary ' + scopeKey(scope), (client, waiting) => client.summary(scope, waiting));
}

/** What each method cost. */
export function Summary({ model, scope }: { model: Model; scope: Scope }) {
  const asked = useSummary(model, scope);
  const answer = asked.answer ?? NOTHING;
  const theme = useModel(model, (m) => m.theme);
  const marked = useModel(model, (m) => m.selection.method);
  const filter = useModel(model, (m) => m.panel.methodFilter);
  const [method, setMethod] = useState<number>();
  const at = method === undefined ? -1 : answer.method.indexOf(method);
  const columns = useMemo(() => columnsOf(model, answer), [answer, theme]);
  return (
    <Table
      label="Methods"
      file={`${model.recording?.name ?? 'recording'}-summary`}
      columns={columns}
      count={answer.method.length}
      data={answer}
      sort={{ column: 'self', descending: true }}
      filter={filter}
      onFilter={(text) => model.panel.setMethodFilter(text)}
      text={(row) => fullName(model, answer.method[row]!)}
      current={at < 0 ? undefined : at}
      onCurrent={(row) => setMethod(answer.method[row])}
      onAction={(action, row) => {
        if (row === undefined) return;
        if (action === 'act') model.selection.mark(answer.method[row]!);
        if (action === 'actMore') goToLongest(model, answer, row);
      }}
      marked={(row) => answer.method[row] === marked}
      empty={asked.answer ? 'No call in this selection.' : ''}
    >
      <Status asked={asked} />
    </Table>
  );
}

function goToLongest(model: Model, answer: SummaryAnswer, row: number): void {
  model.selection.mark(answer.method[row]!);
  const begin = BigInt(answer.maxBegin[row]!);
  reveal(model, answer.maxTrack[row]!, answer.maxDepth[row]!, begin, BigInt(answer.max[row]!));
}

function columnsOf(model: Model, answer: SummaryAnswer): Column[] {
  const whole = answer.self.reduce((sum, self) => sum + self, 0);
  const self = duration('self', 'Self', 'Time in the method itself, without what it called', (row) => answer.self[row]!, 'minmax(210px, 1fr)');
  const max = duration('max', 'Max', 'The longest call, also what of it is outside the selection', (row) => answer.max[row]!, '104px');
  return [
    methodColumn(model, (row) => answer.method[row]!),
    count('calls', 'Calls', 'Number of calls', (row) => answer.calls[row]!),
    duration('total', 'Total', 'Time from enter to leave; of nested calls of the same method the outermost counts', (row) => answer.total[row]!),
    withBar(self, whole, (row) => answer.self[row]!),
    duration('average', 'Average', 'Average duration of a call', (row) => answer.average[row]!),
    duration('p50', 'p50', 'Half of the calls took no longer', (row) => answer.p50[row]!),
    duration('p99', 'p99', '99 of 100 calls took no longer', (row) => answer.p99[row]!),
    {
      ...max,
      cell: (row) => (
        <>
          <span>{max.text(row)}</span>
          <button
            class="go"
            tabIndex={-1}
            title="Go to the longest call (Shift Enter)"
            aria-label={`Go to the longest call of ${fullName(model, answer.method[row]!)}`}
            onClick={() => goToLongest(model, answer, row)}
          >
            <Icon name="target" />
          </button>
        </>
      ),
    },
  ];
}
