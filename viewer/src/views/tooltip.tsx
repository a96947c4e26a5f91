import { useEffect, useState } from 'preact/hooks';
import { css } from '../base/colours';
import { inWords, lossInWords } from '../base/flags';
import { brief, exact, grouped, type Nanos } from '../base/time';
import type { GapHit, Hit, SliceHit } from '../render/hit';
import { Breakable } from './breakable';
import type { Model } from './model';

export interface Pointed {
  readonly hit: Hit;
  /** Where the pointer is on the page. */
  readonly x: number;
  readonly y: number;
}

const SELF_TIME_AFTER_MS = 120;

/** Says what the pointer is on. */
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
      {hit.kind === 'gap' ? <GapText hit={hit} /> : <SliceText model={model} hit={hit} />}
    </div>
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

function SliceText({ model, hit }: { model: Model; hit: SliceHit }) {
  const method = model.methods.get(hit.method);
  const self = useSelfTime(model, hit);
  const run = hit.calls > 1;
  return (
    <>
      <strong>
        <i class="swatch" style={{ background: css(model.methods.colour(hit.method, model.theme)) }} />
        <Breakable name={method?.full ?? '…'} />
      </strong>
      {run ? (
        <p>
          {grouped(hit.calls)} calls within {brief(hit.end - hit.begin)}, too short to be drawn apart; most of
          the time in this method
        </p>
      ) : (
        <p>
          <b>{exact(hit.end - hit.begin)}</b>
          {self !== undefined && <> · self {exact(self)}</>}
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

/** Asked for only once the pointer rests on a call. */
function useSelfTime(model: Model, hit: SliceHit): Nanos | undefined {
  const key = `${hit.row.track.id} ${hit.depth} ${hit.time}`;
  const [known, setKnown] = useState<{ key: string; self: Nanos }>();
  useEffect(() => {
    if (hit.calls > 1) return;
    const timer = setTimeout(async () => {
      try {
        const call = await model.client.call(hit.row.track.id, hit.depth, hit.time);
        if (call) setKnown({ key, self: call.self });
      } catch {
        // A tooltip does without; the picture's own requests tell of a lost server.
      }
    }, SELF_TIME_AFTER_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return known?.key === key ? known.self : undefined;
}
