import { css } from '../../base/colours';
import { inWords, lossInWords, OPEN_END, SAME_METHOD } from '../../base/flags';
import { modeSays } from '../../base/modes';
import { byWhom, holds, isKernel, objectName, released, stateSays } from '../../base/states';
import { brief, briefCount, exact, grouped, moment } from '../../base/time';
import { HANDED } from '../../base/words';
import type { Call } from '../../data/contract';
import { isLink } from '../../data/methods';
import { beginOf } from '../../render/arrow';
import type { ArrowHit, CountsHit, CrowdHit, GapHit, Hit, SliceHit, StepsHit } from '../../render/hit';
import { Breakable } from '../parts/breakable';
import type { Model } from '../../state/model';
import { CounterText, MarkText } from './own-tips';
import { useRested } from '../parts/rested';
import { nameOf } from '../parts/thread-name';

export interface Pointed {
  readonly hit: Hit;
  /** Where the pointer is on the page. */
  readonly x: number;
  readonly y: number;
}

/** Number of methods and steps named in a tooltip. */
const NAMED = 4;

/** Describes what the pointer is on. */
export function Tooltip({ model, pointed }: { model: Model; pointed: Pointed | undefined }) {
  if (!pointed || pointed.hit.kind === 'row') return null;
  const { hit, x, y } = pointed;
  const toLeft = x > innerWidth - 400;
  const above = y > innerHeight - 200;
  const place = {
    left: toLeft ? 'auto' : `${x + 14}px`,
    right: toLeft ? `${innerWidth - x + 14}px` : 'auto',
    top: above ? 'auto' : `${y + 16}px`,
    bottom: above ? `${innerHeight - y + 12}px` : 'auto',
  };
  return (
    <div class="tooltip" role="tooltip" style={place}>
      <Text model={model} hit={hit} />
    </div>
  );
}

function Text({ model, hit }: { model: Model; hit: Exclude<Hit, { kind: 'row' }> }) {
  switch (hit.kind) {
    case 'gap':
      return <GapText hit={hit} />;
    case 'counts':
      return <CountsText model={model} hit={hit} />;
    case 'steps':
      return <StepsText model={model} hit={hit} />;
    case 'arrow':
      return hit.arrow.message ? <MessageText model={model} hit={hit} /> : <ArrowText model={model} hit={hit} />;
    case 'mark':
      return <MarkText model={model} hit={hit} />;
    case 'crowd':
      return <CrowdText hit={hit} />;
    case 'counter':
      return <CounterText model={model} hit={hit} />;
    case 'slice':
      return model.methods.get(hit.method)?.state ? (
        <StateText model={model} hit={hit} />
      ) : (
        <SliceText model={model} hit={hit} />
      );
  }
}

function CrowdText({ hit }: { hit: CrowdHit }) {
  const { row, alive, most, time } = hit;
  return (
    <>
      <strong>
        {grouped(alive)} {alive === 1 ? 'thread' : 'threads'}
      </strong>
      <p>
        had begun and not ended at {moment(time)}; at most {grouped(most)} at once
      </p>
      <p class="thread">
        {row.crowd.name}, {grouped(row.members.length)} in all
      </p>
    </>
  );
}

function GapText({ hit }: { hit: GapHit }) {
  return (
    <>
      <strong class="warn">{lossInWords(hit.lost, hit.unknown)}</strong>
      <p>within {brief(hit.end - hit.begin)}; totals over it are lower bounds</p>
      <p class="thread">{hit.row.track.name}</p>
    </>
  );
}

/** What a thread waited for. */
function StateText({ model, hit }: { model: Model; hit: SliceHit }) {
  const method = model.methods.get(hit.method)!;
  const call = useCall(model, hit);
  const other = call?.other !== undefined && call.other >= 0 ? nameOf(model, call.other) : undefined;
  const state = method.state!;
  const run = hit.calls > 1;
  return (
    <>
      <strong>
        <i class="swatch" style={{ background: css(model.methods.colour(hit.method, model.theme)) }} />
        <Breakable name={call?.object ? `${state} ${objectName(method.name, call.object)}` : method.full} />
      </strong>
      {run ? (
        <p>
          {grouped(hit.calls)} times within {brief(hit.end - hit.begin)}, too short to be drawn apart; most of the time
          this
        </p>
      ) : (
        <p>
          <b>{exact(hit.end - hit.begin)}</b> · {stateSays(state)}
        </p>
      )}
      {other !== undefined &&
        (isKernel(state) ? (
          <p>{byWhom(state, other)}</p>
        ) : hit.flags & OPEN_END ? (
          <p>
            <b>{other}</b> {holds(state)}
          </p>
        ) : (
          <p>
            continued because <b>{other}</b> {released(state)}
          </p>
        ))}
      {inWords(hit.flags).map((words) => (
        <p class="odd" key={words}>
          {words}
        </p>
      ))}
      <p class="thread">{hit.row.track.name}</p>
    </>
  );
}

function CountsText({ model, hit }: { model: Model; hit: CountsHit }) {
  const { begin, end, row, calls } = hit;
  const counted = useRested(`${row.track.id} ${begin} ${end}`, async () => {
    const answer = await model.client.counted({ from: begin, to: end, tracks: [row.track.id] });
    await model.methods.need(answer.method.slice(0, NAMED));
    return answer;
  });
  const others = (counted?.method.length ?? 0) - NAMED;
  return (
    <>
      <strong>{briefCount(calls)} calls were counted here, not drawn</strong>
      <p>between two readings, {brief(end - begin)} apart; their times are in the tables</p>
      {counted && (
        <ul>
          {counted.method.slice(0, NAMED).map((method, i) => (
            <li key={method}>
              {briefCount(counted.counted[i]!)} <Breakable name={model.methods.get(method)?.label ?? '…'} />
            </li>
          ))}
          {others > 0 && <li>and {grouped(others)} other methods</li>}
        </ul>
      )}
      <p class="thread">{row.track.name}</p>
    </>
  );
}

function StepsText({ model, hit }: { model: Model; hit: StepsHit }) {
  const { steps } = hit;
  return (
    <>
      {steps.slice(0, NAMED).map((step, i) => (
        <div key={i}>
          <strong>
            <i class="swatch" style={{ background: css(model.methods.colour(step.method, model.theme)) }} />
            <Breakable name={model.methods.get(step.method)?.full ?? '…'} />
          </strong>
          <p>
            {modeSays(step.before)} → <b>{modeSays(step.mode)}</b>
          </p>
          <p>{step.reason}</p>
        </div>
      ))}
      {steps.length > NAMED && <p>and {grouped(steps.length - NAMED)} more: zoom in</p>}
      <p class="thread">Recorder, {moment(steps[0]!.time)}</p>
    </>
  );
}

function ArrowText({ model, hit }: { model: Model; hit: ArrowHit }) {
  const { arrow, leads } = hit;
  const method = model.methods.get(arrow.method);
  const name = (track: number) => nameOf(model, track);
  const instant = method?.state === HANDED;
  return (
    <>
      <strong>
        <i class="swatch" style={{ background: css(model.methods.colour(arrow.method, model.theme)) }} />
        <Breakable name={method?.full ?? '…'} />
      </strong>
      <p>
        <b>{name(arrow.from)}</b> {method?.state && released(method.state)}: <b>{name(arrow.to)}</b>{' '}
        {instant ? 'continues' : `${arrow.takesTime ? 'ran' : 'continued'} after ${exact(BigInt(arrow.waited))}`}
      </p>
      <p class="thread">click: to {name(arrow[leads])}</p>
    </>
  );
}

function MessageText({ model, hit }: { model: Model; hit: ArrowHit }) {
  const { arrow, leads } = hit;
  const sent = beginOf(arrow);
  const answer = useRested(`${arrow.from} ${sent} ${arrow.method}`, () =>
    model.client.ownList({ track: arrow.from, from: sent, to: sent, max: NAMED }),
  );
  const text = answer?.text[answer.event.indexOf(arrow.method)];
  const late = BigInt(Math.abs(arrow.waited));
  const method = model.methods.get(arrow.method);
  if (isLink(method))
    return (
      <>
        <strong>
          <b>{nameOf(model, arrow.from)}</b> went through <b>{nameOf(model, arrow.to)}</b>
        </strong>
        <p class="thread">click: to {nameOf(model, arrow[leads])}</p>
      </>
    );
  return (
    <>
      <strong>
        <i class="swatch" style={{ background: css(model.methods.colour(arrow.method, model.theme)) }} />
        <Breakable name={method?.full ?? '…'} />
      </strong>
      {text && <p class="data">{text}</p>}
      <p>
        <b>{nameOf(model, arrow.from)}</b> sent it to <b>{nameOf(model, arrow.to)}</b>
      </p>
      <p>
        {arrow.waited < 0 ? (
          <>
            received <b>{exact(late)}</b> before it was sent: their clocks differ
          </>
        ) : (
          <>
            received after <b>{exact(late)}</b>
          </>
        )}
      </p>
      <p class="thread">click: to {nameOf(model, arrow[leads])}</p>
    </>
  );
}

function SliceText({ model, hit }: { model: Model; hit: SliceHit }) {
  const method = model.methods.get(hit.method);
  const call = useCall(model, hit);
  const run = hit.calls > 1;
  return (
    <>
      <strong>
        <i class="swatch" style={{ background: css(model.methods.colour(hit.method, model.theme)) }} />
        <Breakable name={method?.full ?? '…'} />
      </strong>
      {run ? (
        <p>
          {grouped(hit.calls)} calls within {brief(hit.end - hit.begin)}, too short to be drawn apart;{' '}
          {hit.flags & SAME_METHOD ? 'all of this method' : 'most of the time in this method'}
        </p>
      ) : (
        <p>
          <b>{exact(hit.end - hit.begin)}</b>
          {call && (
            <>
              {' '}
              · self {call.counted > 0 && 'at most '}
              {exact(call.self)}
            </>
          )}
        </p>
      )}
      {inWords(hit.flags).map((words) => (
        <p class="odd" key={words}>
          {run ? 'among them: ' + words : words}
        </p>
      ))}
      <p class="thread">{hit.row.track.name}</p>
    </>
  );
}

function useCall(model: Model, hit: SliceHit): Call | undefined {
  const key = hit.calls > 1 ? undefined : `${hit.track} ${hit.depth} ${hit.time}`;
  return useRested(key, () => model.client.call(hit.track, hit.depth, hit.time));
}
