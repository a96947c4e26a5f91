import { useEffect, useState } from 'preact/hooks';
import { css, type Rgb, type Theme } from '../../base/colours';
import { byWhom, isKernel, kernelWords, objectName, released, stateColour } from '../../base/states';
import { brief, exact, grouped } from '../../base/time';
import { BLOCKED, INTERRUPTED, RUNNABLE, RUNNING } from '../../base/words';
import type { Call, CauseParts, Split, Why } from '../../data/contract';
import { nameOf } from '../parts/thread-name';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

/** How long a call must stay selected before this is requested: the server examines all other calls of its method. */
const RESTED_MS = 150;
/** Maximum number of entries named in each list. */
const NAMED = 6;

const PARTS: ReadonlyArray<readonly [part: Exclude<keyof Split, 'faults'>, says: string]> = [
  ['running', 'running'],
  ['interrupted', 'interrupted'],
  ['runnable', 'runnable'],
  ['blocked', 'blocked'],
  ['unknown', 'not known'],
];

function colourOf(part: keyof Split, theme: Theme): Rgb {
  if (part === 'running') return stateColour(RUNNING, theme);
  if (part === INTERRUPTED || part === RUNNABLE || part === BLOCKED) return stateColour(part, theme);
  return theme === 'light' ? [203, 209, 218] : [70, 77, 90];
}

/** Why the selected call took as long as it did; only if the kernel reported on its thread. */
export function WhyFacts({ model, call }: { model: Model; call: Call }) {
  const recording = useModel(model, (m) => m.recording);
  const scheduled = recording?.tracks.some((track) => track.kind === 'scheduled' && track.of === call.track) ?? false;
  const { why, busy, failed } = useWhy(model, call, scheduled);
  if (!scheduled) return null;
  return (
    <div class="why" role="group" aria-label="Why so long">
      <h3>Why so long</h3>
      {why ? (
        <Answer model={model} why={why} duration={Number(call.end - call.begin)} />
      ) : (
        <p class="nothing">{failed ?? (busy ? '…' : 'Only the server can answer this: use kymo view or kymo why.')}</p>
      )}
    </div>
  );
}

interface Asked {
  readonly key: string;
  readonly why: Why | undefined;
  readonly busy: boolean;
  readonly failed: string | undefined;
}

function useWhy(model: Model, call: Call, scheduled: boolean): Asked {
  const key = scheduled ? `${call.track} ${call.depth} ${call.begin}` : '';
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    if (key === '') return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const why = await model.client.why(call.track, call.depth, call.begin, { signal: abort.signal });
        if (why) await model.methods.need([...why.states.method, ...why.waits.method, ...why.children.method]);
        if (!abort.signal.aborted) setAsked({ key, why, busy: false, failed: undefined });
      } catch (error) {
        if (!abort.signal.aborted) setAsked({ key, why: undefined, busy: false, failed: (error as Error).message });
      }
    }, RESTED_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return asked && asked.key === key ? asked : { key, why: undefined, busy: true, failed: undefined };
}

function notRecorded(recorded: Why['recorded']): string {
  const names = [...(recorded.interrupted ? [] : ['interrupts']), ...(recorded.faults ? [] : ['page faults'])].join(
    ' and ',
  );
  return names.charAt(0).toUpperCase() + names.slice(1);
}

function Answer({ model, why, duration }: { model: Model; why: Why; duration: number }) {
  const theme = useModel(model, (m) => m.theme);
  const { split, siblings, recorded } = why;
  const known = (part: keyof Split) => part !== 'interrupted' || recorded.interrupted;
  const missing = why.scheduled < 0 ? '' : notRecorded(recorded);
  const usual = siblings.split;
  const percent = (time: number) => (duration === 0 ? '' : `${Math.round((time * 1000) / duration) / 10} %`);
  return (
    <div class="why-answer">
      <div class="why-bar" aria-hidden="true">
        {PARTS.map(([part]) => (
          <i key={part} style={{ flexGrow: split[part], background: css(colourOf(part, theme)) }} />
        ))}
      </div>
      <div>
        <table>
          <thead>
            <tr>
              <th />
              <th colSpan={2}>this call</th>
              {siblings.count > 0 && <th>median</th>}
            </tr>
          </thead>
          <tbody>
            {PARTS.map(([part, says]) => (
              <tr key={part}>
                <td>
                  <i class="swatch" style={{ background: css(colourOf(part, theme)) }} />
                  {says}
                </td>
                <td>{known(part) ? time(split[part]) : '–'}</td>
                <td>{known(part) && percent(split[part])}</td>
                {siblings.count > 0 && <td>{known(part) && usual && time(usual[part])}</td>}
              </tr>
            ))}
            <tr>
              <td>page faults</td>
              <td>{recorded.faults ? grouped(split.faults) : '–'}</td>
              <td />
              {siblings.count > 0 && <td>{recorded.faults && usual && grouped(usual.faults)}</td>}
            </tr>
          </tbody>
        </table>
        <p class="source">{siblingsSay(why)}</p>
        {missing !== '' && <p class="source">{missing} were not recorded.</p>}
      </div>
      <div>
        {why.waits.method.length > 0 && (
          <Parts
            model={model}
            parts={why.waits}
            theme={theme}
            title="As the program and its virtual machine report it"
          />
        )}
        <Parts
          model={model}
          parts={why.states}
          theme={theme}
          {...(why.waits.method.length > 0 ? { title: 'As the kernel reports it' } : {})}
        />
        <Children model={model} why={why} theme={theme} />
      </div>
    </div>
  );
}

function siblingsSay({ siblings }: Why): string {
  const { count, looked, explained, duration } = siblings;
  if (count === 0) return 'There is no other call of the method.';
  const sample = looked < count ? `, a sample of ${grouped(looked)}` : '';
  const known = explained < looked ? `; of the threads of ${grouped(explained)} it is known` : '';
  return `${grouped(count)} other ${count === 1 ? 'call' : 'calls'}${sample}, median ${time(duration)}${known}`;
}

function Parts({ model, parts, theme, title }: { model: Model; parts: CauseParts; theme: Theme; title?: string }) {
  const rows = parts.method.map((_, i) => i).filter((i) => parts.time[i]! > 0);
  if (rows.length === 0) return null;
  return (
    <>
      {title && <h4>{title}</h4>}
      <ul>
        {rows.slice(0, NAMED).map((i) => (
          <Row
            key={i}
            swatch={css(model.methods.colour(parts.method[i]!, theme))}
            words={partWords(model, parts, i)}
            time={parts.time[i]!}
            count={parts.count[i]!}
          />
        ))}
        {rows.length > NAMED && <li class="nothing">and {grouped(rows.length - NAMED)} more</li>}
      </ul>
    </>
  );
}

function partWords(model: Model, parts: CauseParts, i: number): string {
  const method = model.methods.get(parts.method[i]!);
  if (!method) return '…';
  if (!method.state) return `${method.type}: ${method.name}`;
  const other = parts.other[i]! < 0 ? undefined : nameOf(model, parts.other[i]!);
  if (isKernel(method.state))
    return [kernelWords(method.state, method.name), byWhom(method.state, other)].filter(Boolean).join(', ');
  const object = method.name ? ` ${objectName(method.name, parts.object[i]!)}` : '';
  return `${method.state}${object}` + (other === undefined ? '' : `, ${other} ${released(method.state)}`);
}

function Children({ model, why, theme }: { model: Model; why: Why; theme: Theme }) {
  const { method, calls, time: times } = why.children;
  return (
    <>
      <h4>
        In itself {why.counted > 0 && 'at most '}
        {time(why.self)}, and in
      </h4>
      <ul>
        {method.slice(0, NAMED).map((id, i) => (
          <Row
            key={id}
            swatch={css(model.methods.colour(id, theme))}
            words={model.methods.get(id)?.label ?? '…'}
            time={times[i]!}
            count={calls[i]!}
          />
        ))}
        {method.length === 0 && <li class="nothing">nothing recorded</li>}
        {method.length > NAMED && <li class="nothing">and {grouped(method.length - NAMED)} more</li>}
      </ul>
      {why.counted > 0 && (
        <p class="source">{grouped(why.counted)} calls were counted: their time is in their callers’.</p>
      )}
    </>
  );
}

function Row(props: { swatch: string; words: string; time: number; count: number }) {
  return (
    <li title={exact(BigInt(props.time))}>
      <i class="swatch" style={{ background: props.swatch }} />
      <span>{props.words}</span>
      <small>
        {props.count > 1 && `×${grouped(props.count)} `}
        {time(props.time)}
      </small>
    </li>
  );
}

function time(nanos: number): string {
  return brief(BigInt(nanos));
}
