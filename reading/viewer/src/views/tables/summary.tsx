import { useMemo, useState } from 'preact/hooks';
import { isNever } from '../../base/modes';
import type { Scope, SummaryAnswer } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import type { Model } from '../../state/model';
import { reveal } from '../../state/reveal';
import { useAnswer, type Asked } from '../parts/scope';
import { useModel } from '../parts/use';
import { fullName } from './cells';
import { summaryColumns } from './summary-columns';
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
  counted: [],
  estimated: [],
  missing: [],
  selfTime: null,
  correctedTotal: null,
  correctedSelf: null,
  error: null,
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
  // Waits contain no probes.
  const correctable = useModel(model, (m) => m.panel.about === 'calls') && answer.correctedTotal !== null;
  const corrected = useModel(model, (m) => m.panel.corrected) && correctable;
  const columns = useMemo(
    () => summaryColumns(model, answer, corrected, (row) => goToLongest(model, answer, row)),
    [answer, theme, corrected],
  );
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
      {correctable && (
        <label class="choice" title="Without the cost of the probes; ± is the bound of the error">
          <input
            type="checkbox"
            checked={corrected}
            onChange={(event) => model.panel.setCorrected(event.currentTarget.checked)}
          />
          corrected times
        </label>
      )}
      <NotRecorded model={model} />
      <Status asked={asked} />
    </Table>
  );
}

/** The methods that could not be recorded; the tooltip says why. */
function NotRecorded({ model }: { model: Model }) {
  const never = useModel(model, (m) => m.steps.list).filter(isNever);
  if (never.length === 0) return null;
  const names = never.map(({ method }) => fullName(model, method));
  const reasons = never.map(({ reason }, i) => `${names[i]}: ${reason}`);
  return (
    <small class="status" title={reasons.join('\n')}>
      not recorded, so their time is in their callers’ self: {names.join(', ')}
    </small>
  );
}

function goToLongest(model: Model, answer: SummaryAnswer, row: number): void {
  model.selection.mark(answer.method[row]!);
  // The place of a counted call is not known.
  if (answer.maxTrack[row]! < 0) return;
  const begin = BigInt(answer.maxBegin[row]!);
  reveal(model, answer.maxTrack[row]!, answer.maxDepth[row]!, begin, BigInt(answer.max[row]!));
}
