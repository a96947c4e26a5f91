import { useEffect, useMemo } from 'preact/hooks';
import { css } from '../../base/colours';
import { exact, grouped, moment } from '../../base/time';
import type { TrackKind } from '../../base/words';
import type { Scope } from '../../data/contract';
import { threadsOf } from '../../render/groups';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import type { Tab } from '../../state/panel';
import { useModel } from '../parts/use';

/** Tabs that say themselves which tracks they are about. */
const OWN_CHOICE: ReadonlySet<Tab> = new Set<Tab>(['events', 'statistics', 'matrix', 'shares', 'query']);

/** The selection that the tables are about, and controls to change it. */
export function About({ model, scope }: { model: Model; scope: Scope }) {
  const range = useModel(model, (m) => m.selection.range);
  const follow = useModel(model, (m) => m.selection.follow);
  const tracks = useModel(model, (m) => m.selection.tracks);
  const recording = useModel(model, (m) => m.recording);
  const all = useMemo(() => (recording ? threadsOf(recording).length : 0), [recording]);
  const duration = useModel(model, (m) => m.duration);
  // These have a choice of their own, and samples are of no kind of tracks.
  const apart = useModel(model, (m) => OWN_CHOICE.has(m.panel.tab) || (m.panel.tab === 'flame' && m.samples.on));
  const from = scope.from ?? 0n;
  const to = scope.to ?? duration;
  const times = `${moment(from)} – ${moment(to)}`;
  return (
    <div class="about">
      {!apart && <KindChoice model={model} />}
      <span class="about-time" title={times}>
        {range ? <b>{exact(to - from)}</b> : <b>{follow ? 'Window' : 'Whole recording'}</b>} <span>{times}</span>
      </span>
      {range ? (
        <button
          class="chip-close"
          title="Clear the time range (Esc)"
          aria-label="Clear the time range"
          onClick={() => model.selection.clearRange()}
        >
          <Icon name="close" />
        </button>
      ) : (
        <label class="follow" title="The tables follow the timeline’s window when it stands still">
          <input
            type="checkbox"
            checked={follow}
            onChange={(event) => model.selection.setFollow(event.currentTarget.checked)}
          />
          follow the window
        </label>
      )}
      <span class="about-threads">
        {tracks.size > 0 ? `${grouped(tracks.size)} of ${grouped(all)}` : grouped(all)}{' '}
        {all === 1 ? 'thread' : 'threads'}
      </span>
      {tracks.size > 0 && (
        <button
          class="chip-close"
          title="Show all threads again (Esc)"
          aria-label="Clear the selected threads"
          onClick={() => model.selection.clearTracks()}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

const KINDS: ReadonlyArray<readonly [kind: TrackKind, says: string]> = [
  ['calls', 'Calls'],
  ['states', 'Waiting'],
  ['jvm', 'Virtual machine'],
  ['scheduled', 'Scheduling'],
  ['cpu', 'Processors'],
];

/** Calls, waits and the virtual machine’s work happen at the same time, so they are not added up. */
function KindChoice({ model }: { model: Model }) {
  const recording = useModel(model, (m) => m.recording);
  const about = useModel(model, (m) => m.panel.about);
  const there = KINDS.filter(
    ([kind]) => kind === 'calls' || kind === about || recording?.tracks.some((track) => track.kind === kind),
  );
  if (there.length === 1) return null;
  return (
    <select
      aria-label="What the tables are about"
      value={about}
      onChange={(event) => {
        const { value } = event.currentTarget;
        const chosen = KINDS.find(([kind]) => kind === value);
        if (chosen) model.panel.setAbout(chosen[0]);
      }}
    >
      {there.map(([kind, says]) => (
        <option key={kind} value={kind}>
          {says}
        </option>
      ))}
    </select>
  );
}

/** The method that is marked everywhere; the rest of the timeline is dimmed, so this says why. */
export function MarkedMethod({ model }: { model: Model }) {
  const method = useModel(model, (m) => m.selection.method);
  const theme = useModel(model, (m) => m.theme);
  // A link may mark a method whose name is not known yet.
  useEffect(() => {
    if (method !== undefined)
      void model.methods.need([method]).then(
        () => model.changed(),
        () => undefined,
      );
  }, [method]);
  const known = useModel(model, (m) => (method === undefined ? undefined : m.methods.get(method)));
  if (method === undefined) return null;
  return (
    <span class="marked-method" title={`Marked everywhere: ${known?.full ?? ''}`}>
      <i class="swatch" style={{ background: css(model.methods.colour(method, theme)) }} />
      <span>{known?.label ?? '…'}</span>
      <button
        class="chip-close"
        title="Unmark it (Esc)"
        aria-label="Unmark the method"
        onClick={() => model.selection.mark(undefined)}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}
