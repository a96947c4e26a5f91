import { modeSays } from '../../base/modes';
import { briefCount } from '../../base/time';
import type { Scope } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import type { Model } from '../../state/model';
import { useAnswer } from '../parts/scope';
import { useModel } from '../parts/use';
import { fullName } from './cells';

/** Methods named in the tooltip. */
const NAMED = 12;

interface NoteProps {
  readonly model: Model;
  readonly scope: Scope;
  /** About this method alone. */
  readonly method?: number | undefined;
  /** Where they are missing, after "counted, ". */
  readonly missing: string;
}

/** Reports that calls of the selection are missing here because they were counted. */
export function CountedNote(props: NoteProps) {
  const any = useModel(props.model, (m) => m.recording?.tracks.some((track) => track.counted > 0) ?? false);
  return any ? <Note {...props} /> : null;
}

function Note({ model, scope, method, missing }: NoteProps) {
  const { answer } = useAnswer(model, 'counted ' + scopeKey(scope), (client, waiting) =>
    client.counted(scope, waiting),
  );
  if (!answer) return null;
  const at = method === undefined ? -1 : answer.method.indexOf(method);
  const calls = method === undefined ? answer.calls : (answer.counted[at] ?? 0);
  if (calls === 0) return null;
  const lines = answer.method
    .slice(0, NAMED)
    .map((id, i) => `${briefCount(answer.counted[i]!)} of ${fullName(model, id)} (${modeSays(answer.mode[i]!)})`);
  if (answer.method.length > NAMED) lines.push('…');
  const title =
    method === undefined
      ? lines.join('\n')
      : `Recording each would have cost more than the budget allows: it was ${modeSays(answer.mode[at]!)}.`;
  return (
    <span class="pill counted-note" title={title}>
      {briefCount(calls)} {calls === 1 ? 'call' : 'calls'} counted, {missing}
    </span>
  );
}
