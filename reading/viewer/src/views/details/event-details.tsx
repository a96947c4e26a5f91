import { Fragment } from 'preact';
import { css } from '../../base/colours';
import { grouped, moment, wallTime } from '../../base/time';
import { EVENT_KINDS } from '../../base/values';
import type { OwnListAnswer } from '../../data/contract';
import { Breakable } from '../parts/breakable';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import type { EventsPlace } from '../../state/own-events';
import { bringRowIntoSight } from '../../state/reveal';
import { nameOf } from '../parts/thread-name';
import { useModel } from '../parts/use';

/** Details of the selected events of the program's own. */
export function EventDetails({ model }: { model: Model }) {
  const answer = useModel(model, (m) => m.events.answer);
  const place = useModel(model, (m) => m.events.place);
  useModel(model, (m) => m.theme);
  if (!place) return null;
  return (
    <section class="details events-details" aria-label="Selected events">
      <div class="corner-buttons">
        <button
          class="plain"
          title="Zoom to them (F)"
          aria-label="Zoom to the events"
          onClick={() => zoomToEvents(model, place)}
        >
          <Icon name="target" />
        </button>
        <button class="plain" title="Close (Esc)" aria-label="Close" onClick={() => model.select(undefined)}>
          <Icon name="close" />
        </button>
      </div>
      {answer ? (
        <List model={model} answer={answer} track={place.track} />
      ) : (
        <p class="nothing">{answer === null ? 'The data of these events are not available.' : '…'}</p>
      )}
    </section>
  );
}

export function zoomToEvents(model: Model, { track, from, to }: EventsPlace): void {
  bringRowIntoSight(model, track, 0);
  // A moment has no length that could fill the window.
  if (from === to) model.goTo(from);
  else model.showInterval(from, to);
}

function List({ model, answer, track }: { model: Model; answer: OwnListAnswer; track: number }) {
  const { time, event, name, text, stack, more } = answer;
  return (
    <div>
      <h3>
        {nameOf(model, track)}:{' '}
        {more
          ? `the first ${grouped(time.length)} events here; zoom in for the others`
          : `${grouped(time.length)} ${time.length === 1 ? 'event' : 'events'}`}
      </h3>
      <table>
        <tbody>
          {time.map((at, i) => (
            <Fragment key={i}>
              <tr>
                <td title={wallTime(model.recording!.wallBegin, BigInt(at))}>
                  <button class="link" onClick={() => model.goTo(BigInt(at))}>
                    {moment(BigInt(at))}
                  </button>
                </td>
                <td>
                  <i class="swatch" style={{ background: css(model.methods.colour(event[i]!, model.theme)) }} />
                  <b>
                    <Breakable name={name[i]!} />
                  </b>
                </td>
                <td>{kindOf(model, event[i]!)}</td>
                <td class="data">{text[i]}</td>
                <td class="nothing">{model.methods.get(event[i]!)?.event?.description}</td>
              </tr>
              {stack[i]!.length > 0 && (
                <tr>
                  <td />
                  <td colSpan={4}>
                    <Stack model={model} frames={stack[i]!} open={time.length === 1} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Where a thread was, from the inside out; a click marks the method everywhere. */
function Stack({ model, frames, open }: { model: Model; frames: readonly number[]; open: boolean }) {
  const marked = useModel(model, (m) => m.selection.method);
  return (
    <details class="stack" open={open}>
      <summary>
        Stack of {grouped(frames.length)} {frames.length === 1 ? 'method' : 'methods'}
      </summary>
      <ol>
        {frames.map((method, i) => (
          <li key={i}>
            <button class="link" aria-pressed={method === marked} onClick={() => model.selection.mark(method)}>
              <i class="swatch" style={{ background: css(model.methods.colour(method, model.theme)) }} />
              <Breakable name={model.methods.get(method)?.full ?? '…'} />
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}

function kindOf(model: Model, event: number): string {
  return EVENT_KINDS[model.methods.get(event)?.event?.kind ?? 0] ?? '';
}
