import { css } from '../../base/colours';
import { valueText } from '../../base/values';
import { grouped } from '../../base/time';
import type { CounterStrip, TrackRow } from '../../render/layout';
import { eventName } from './own-tips';
import type { Model } from '../../state/model';

/** Names and scales of a thread's counters, beside their curves. */
export function CounterLabels({ model, row }: { model: Model; row: TrackRow }) {
  const { counters, countersInAll } = row;
  const left = countersInAll - counters.length;
  return (
    <>
      {counters.map((strip, i) => (
        <CounterLabel
          key={`${strip.track} ${strip.counter.event}`}
          model={model}
          strip={strip}
          more={i === counters.length - 1 ? left : 0}
          open={row.open}
        />
      ))}
    </>
  );
}

function CounterLabel({
  model,
  strip,
  more,
  open,
}: {
  model: Model;
  strip: CounterStrip;
  more: number;
  open: boolean;
}) {
  const { counter, band } = strip;
  const known = model.methods.get(counter.event);
  const fields = known?.event?.fields ?? '';
  const [min, max] = [valueText(counter.min, fields), valueText(counter.max, fields)];
  const name = eventName(model, counter.event);
  return (
    <div
      class={'counter' + (open ? ' open' : '')}
      style={{ top: `${band.top}px`, height: `${band.height}px` }}
      title={`${name}: ${min} to ${max}`}
    >
      <span class="name">
        <i class="swatch" style={{ background: css(model.methods.colour(counter.event, model.theme)) }} />
        {known?.short ?? '…'}
        {more > 0 && (
          <small title={open ? 'More than can be shown' : 'Unfold the thread to see more'}> +{grouped(more)}</small>
        )}
      </span>
      {open ? (
        <span class="scale">
          <small>{max}</small>
          <small>{min}</small>
        </span>
      ) : (
        <small>
          {min} … {max}
        </small>
      )}
    </div>
  );
}
