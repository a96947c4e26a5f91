import { briefCount, grouped } from '../../base/time';
import type { CountedAnswer, Scope } from '../../data/contract';
import { type CountedBlock, countedBlocks } from '../../data/counted-blocks';
import { scopeKey } from '../../data/questions';
import type { Model } from '../../state/model';
import { useAnswer } from '../parts/scope';
import { useModel } from '../parts/use';
import { exactNs, fullName, percent } from './cells';

/** What was counted in a selection; undefined if nothing was counted or it is not known yet. */
export function useCounted(model: Model, scope: Scope): CountedAnswer | undefined {
  const { answer } = useAnswer(model, 'counted ' + scopeKey(scope), (client, waiting) =>
    client.counted(scope, waiting),
  );
  return answer && answer.calls > 0 ? answer : undefined;
}

/**
 * Counted calls above a flame graph. Their callers are not known, so the graph has no boxes for them, and their
 * time is in the callers' boxes: they have a strip of their own, at the graph's scale.
 */
export function CountedStrip(props: {
  readonly model: Model;
  readonly answer: CountedAnswer;
  readonly whole: number;
  /** Methods to highlight; the others are dimmed. */
  readonly lit: ReadonlySet<number> | undefined;
}) {
  const { model, answer, whole, lit } = props;
  const marked = useModel(model, (m) => m.selection.method);
  return (
    <div class="counted-strip" role="group" aria-label={`${grouped(answer.calls)} calls counted, caller unknown`}>
      {countedBlocks(answer, whole).map((block) => (
        <button
          key={block.method ?? 'others'}
          class={lit && (block.method === undefined || !lit.has(block.method)) ? 'dimmed' : ''}
          style={{ flexBasis: `${block.share * 100}%` }}
          disabled={block.method === undefined}
          aria-pressed={block.method === undefined ? undefined : block.method === marked}
          title={says(model, block, whole)}
          onClick={() => model.selection.mark(block.method)}
        >
          <span>
            {nameOf(model, block)} · {briefCount(block.calls)}
          </span>
        </button>
      ))}
    </div>
  );
}

function nameOf(model: Model, { method, methods }: CountedBlock): string {
  return method === undefined ? `${grouped(methods)} others` : (model.methods.get(method)?.label ?? '…');
}

function says(model: Model, block: CountedBlock, whole: number): string {
  const { method, calls, time, estimated, atLeast } = block;
  const name = method === undefined ? `${grouped(block.methods)} methods` : fullName(model, method);
  const share = whole > 0 ? `, ${percent(time, whole)} of all` : '';
  const known = `${atLeast ? '≥ ' : ''}${estimated ? '~ ' : ''}${exactNs(time)}${share}`;
  return [
    name,
    `${grouped(calls)} ${calls === 1 ? 'call' : 'calls'} counted, caller unknown`,
    time === 0 && atLeast
      ? 'How long they took is not known.'
      : `They took ${known}, without their callees; this time is in the boxes of their callers.`,
  ].join('\n');
}
