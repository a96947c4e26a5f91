import type { ComponentChildren } from 'preact';
import { callId } from '../../base/call-id';
import { css } from '../../base/colours';
import { inWords, LOSSY, OPEN_END } from '../../base/flags';
import { byWhom, holds, isKernel, objectName, released, type StateKind, stateSays } from '../../base/states';
import { brief, briefCount, exact, grouped, moment, wallTime } from '../../base/time';
import { RUNNABLE, type SchedulerState } from '../../base/words';
import type { Call, Caller } from '../../data/contract';
import type { Method } from '../../data/methods';
import { signature } from '../../base/signature';
import { Breakable } from '../parts/breakable';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { bringRowIntoSight } from '../../state/reveal';
import { showButterfly } from '../tables/butterfly';
import { nameOf, numberOf } from '../parts/thread-name';
import { useModel } from '../parts/use';
import { WhyFacts } from './why';

/** Details of the selected call. */
export function Details({ model }: { model: Model }) {
  const selected = useModel(model, (m) => m.selected);
  const call = useModel(model, (m) => m.call);
  useModel(model, (m) => m.theme);
  if (!selected) return null;
  return (
    <section class="details" aria-label="Selected call">
      <div class="corner-buttons">
        {call && call.end > call.begin && (
          <button
            class="plain"
            title="Critical path: which threads determined when it ended (K)"
            aria-label="Critical path of the call"
            onClick={() => model.path.ofSelection()}
          >
            <Icon name="path" />
          </button>
        )}
        {call && (
          <button
            class="plain"
            title="Callers and callees of its method (Y)"
            aria-label="Callers and callees of its method"
            onClick={() => showButterfly(model, call.method)}
          >
            <Icon name="butterfly" />
          </button>
        )}
        {call && (
          <button
            class="plain"
            title="Zoom to it (F)"
            aria-label="Zoom to the call"
            onClick={() => zoomTo(model, call)}
          >
            <Icon name="target" />
          </button>
        )}
        <button class="plain" title="Close (Esc)" aria-label="Close" onClick={() => model.select(undefined)}>
          <Icon name="close" />
        </button>
      </div>
      {call ? (
        <CallFacts model={model} call={call} />
      ) : (
        <div class="nothing">
          {call === null ? (
            <>
              <p>Between two calls of this run: none was running at this time.</p>
              <button class="plain" onClick={() => zoomInto(model, selected.time)}>
                Zoom in to pick one
              </button>
            </>
          ) : (
            '…'
          )}
        </div>
      )}
    </section>
  );
}

export function zoomTo(model: Model, call: Call): void {
  model.showInterval(call.begin, call.end);
  bringRowIntoSight(model, call.track, call.depth);
}

/** Zooms in on a run so far that single calls can be selected. */
const CLOSER = 100;

function zoomInto(model: Model, time: bigint): void {
  const half = BigInt(Math.ceil(model.window.span / CLOSER / 2));
  model.showInterval(time - half, time + half);
}

function CallFacts({ model, call }: { model: Model; call: Call }) {
  const method = model.methods.get(call.method);
  const track = model.recording?.tracks[call.track];
  if (!method || !track || !model.recording) return null;
  const duration = call.end - call.begin;
  const share = duration > 0n ? Number((call.self * 1000n) / duration) / 10 : 0;
  const percent = share === 0 && call.self > 0n ? '< 0.1' : share;
  const odd = inWords(call.flags);
  const lossy = (call.flags & LOSSY) !== 0;
  return (
    <>
      <div class="what">
        <h2>
          <i class="swatch" style={{ background: css(model.methods.colour(method.id, model.theme)) }} />
          <Breakable name={method.full} />
        </h2>
        {method.state ? (
          <p class="source">{nameOf(model, call.track) + ' ' + stateSays(method.state)}</p>
        ) : (
          <>
            <p class="signature">{signature(method.name, method.descriptor)}</p>
            <p class="source">{whereFrom(method)}</p>
          </>
        )}
        {odd.map((words) => (
          <p class="odd" key={words}>
            {words}
          </p>
        ))}
      </div>
      <dl>
        <Fact name="Duration">{exact(duration)}</Fact>
        {method.state ? (
          <StateFacts model={model} call={call} name={method.name} state={method.state} />
        ) : (
          <>
            {(call.other ?? -1) >= 0 && (
              <Fact name="For">
                <button class="link" title="Go to that thread (O)" onClick={() => model.arrows.follow()}>
                  {nameOf(model, call.other!)}
                </button>
              </Fact>
            )}
            <Fact name="Self">
              {lossy || call.counted > 0 ? 'at most ' : ''}
              {exact(call.self)} <small>{percent} %</small>
            </Fact>
            <Fact name="Calls made">
              {lossy ? 'at least ' : ''}
              {grouped(call.children)}
            </Fact>
            {call.counted > 0 && (
              <Fact name="Counted">
                about {briefCount(call.counted)} calls during it <small>those that it made are in self</small>
              </Fact>
            )}
          </>
        )}
        <Fact name="Begin">{moment(call.begin)}</Fact>
        <Fact name="End">{moment(call.end)}</Fact>
        <Fact name="Time of day">{wallTime(model.recording.wallBegin, call.begin)}</Fact>
        <Fact name="Thread">
          {nameOf(model, call.track)} <small>{track.virtual ? 'virtual' : numberOf(track)}</small>
        </Fact>
        <Fact name="For kymo why">
          <code>{callId(call, track)}</code>
        </Fact>
      </dl>
      <WhyFacts model={model} call={call} />
      {(!method.state || call.callers.length > 0) && (
        <Callers model={model} call={call} title={method.state ? 'While it' : 'Called by'} />
      )}
    </>
  );
}

function Callers({ model, call, title }: { model: Model; call: Call; title: string }) {
  return (
    <div class="callers">
      <h3>{title}</h3>
      {call.callers.length === 0 ? <p class="nothing">nothing recorded: the outermost call</p> : null}
      <ol>
        {call.callers
          .map((caller, depth) => (
            <CallerLine key={depth} model={model} caller={caller} depth={depth} track={call.track} />
          ))
          .reverse()}
      </ol>
    </div>
  );
}

/** The object waited for, and the thread that let this one continue, or still holds it. */
function StateFacts({ model, call, name, state }: { model: Model; call: Call; name: string; state: StateKind }) {
  const { object = 0, other = -1 } = call;
  const open = (call.flags & OPEN_END) !== 0;
  if (isKernel(state)) return other < 0 ? null : <KernelFact model={model} state={state} other={other} />;
  return (
    <>
      {name && (
        <Fact name="Object">
          <Breakable name={objectName(name, object)} />
        </Fact>
      )}
      {(!open || other >= 0) && (
        <Fact name={open ? 'Still waits because' : 'Continued because'}>
          {other < 0 ? (
            <span class="nothing">not known</span>
          ) : (
            <>
              <button class="link" title="Go to that thread (O)" onClick={() => model.arrows.follow()}>
                {nameOf(model, other)}
              </button>{' '}
              {open ? holds(state) : released(state)}
            </>
          )}
        </Fact>
      )}
    </>
  );
}

/** The thread that woke this one, or had the processor. */
function KernelFact({ model, state, other }: { model: Model; state: SchedulerState; other: number }) {
  const name = nameOf(model, other);
  const [before = '', after = ''] = byWhom(state, name).split(name);
  return (
    <Fact name={state === RUNNABLE ? 'Meanwhile' : 'Ended'}>
      {before}
      <button class="link" title="Go to that thread (O)" onClick={() => model.arrows.follow()}>
        {name}
      </button>
      {after}
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function CallerLine(props: { model: Model; caller: Caller; depth: number; track: number }) {
  const { model, caller, depth, track } = props;
  const method = model.methods.get(caller.method);
  return (
    <li>
      <button title={method?.full ?? ''} onClick={() => model.select({ track, depth, time: caller.begin })}>
        <i class="swatch" style={{ background: css(model.methods.colour(caller.method, model.theme)) }} />
        <span>{method?.label ?? '…'}</span>
        <small>{brief(caller.end - caller.begin)}</small>
      </button>
    </li>
  );
}

function whereFrom(method: Method): string {
  if (!method.source) return 'source not known';
  return method.line > 0 ? `${method.source}:${method.line}` : method.source;
}
