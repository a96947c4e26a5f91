import { css } from '../../base/colours';
import { brief, grouped, moment } from '../../base/time';
import { valueText } from '../../base/values';
import type { CounterHit, MarkHit } from '../../render/hit';
import { Breakable } from '../parts/breakable';
import type { Model } from '../../state/model';
import { useRested } from '../parts/rested';

/** The name of a kind of events. */
export function eventName(model: Model, event: number): string {
  const known = model.methods.get(event);
  // It is not defined; methods and events share one range of numbers.
  return known?.event ? known.full : (known?.full ?? '…').replace(/^method /, 'event ');
}

function Name({ model, event }: { model: Model; event: number }) {
  return (
    <strong>
      <i class="swatch" style={{ background: css(model.methods.colour(event, model.theme)) }} />
      <Breakable name={eventName(model, event)} />
    </strong>
  );
}

/** The data of one event, or the number and kinds of events in one mark. */
export function MarkText({ model, hit }: { model: Model; hit: MarkHit }) {
  return hit.count === 1 ? <OneText model={model} hit={hit} /> : <ManyText model={model} hit={hit} />;
}

function OneText({ model, hit }: { model: Model; hit: MarkHit }) {
  const { row, begin, kinds } = hit;
  const { event } = kinds[0]!;
  const answer = useRested(`${row.track.id} ${begin}`, () =>
    model.client.ownList({ track: row.track.id, from: begin, to: begin, max: 1 }),
  );
  const text = answer?.text[0];
  const description = model.methods.get(event)?.event?.description;
  return (
    <>
      <Name model={model} event={event} />
      {description && <p>{description}</p>}
      {text && <p class="data">{text}</p>}
      <p>
        at <b>{moment(begin)}</b>
      </p>
      <p class="thread">{row.track.name}</p>
    </>
  );
}

function ManyText({ model, hit }: { model: Model; hit: MarkHit }) {
  const { count, different, kinds, begin, end, row } = hit;
  return (
    <>
      <strong>{grouped(count)} events</strong>
      <p>within {brief(end - begin)}, too near to each other to be drawn apart</p>
      <ul class="kinds">
        {kinds.map(({ event, times }) => (
          <li key={event}>
            {grouped(times)} <i class="swatch" style={{ background: css(model.methods.colour(event, model.theme)) }} />
            <Breakable name={eventName(model, event)} />
          </li>
        ))}
        {different > kinds.length && <li>and {grouped(different - kinds.length)} other kinds</li>}
      </ul>
      <p class="thread">{row.track.name}</p>
    </>
  );
}

/** A counter's value. */
export function CounterText({ model, hit }: { model: Model; hit: CounterHit }) {
  const { counter, value, since, row } = hit;
  const { fields = '', description = '' } = model.methods.get(counter.event)?.event ?? {};
  const said = (number: number) => valueText(number, fields);
  return (
    <>
      <Name model={model} event={counter.event} />
      {description && <p>{description}</p>}
      {!value ? (
        <p>no value yet</p>
      ) : (
        <p>
          <b>{said(value.last)}</b>
          {value.min !== value.max && ` · here between ${said(value.min)} and ${said(value.max)}`}
        </p>
      )}
      {since !== undefined && <p>since {moment(since)}</p>}
      <p>
        {said(counter.min)} to {said(counter.max)} in all, recorded {grouped(counter.count)}{' '}
        {counter.count === 1 ? 'time' : 'times'}
      </p>
      <p class="thread">{row.track.name}</p>
    </>
  );
}
