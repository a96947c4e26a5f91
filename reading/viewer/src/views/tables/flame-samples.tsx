import { useMemo } from 'preact/hooks';
import { sampleMeasure, unitSays } from '../../base/measure';
import { grouped } from '../../base/time';
import type { SamplesAnswer, Scope } from '../../data/contract';
import { scopeKey } from '../../data/questions';
import { Tree } from '../../data/tree';
import type { Model } from '../../state/model';
import { type Asked, onAllTracks, useAnswer } from '../parts/scope';
import { useModel } from '../parts/use';
import { NO_NODES } from './call-tree';

/** The tree of the samples of a selection. */
export function useSamples(model: Model, about: Scope): { asked: Asked<SamplesAnswer>; tree: Tree } {
  const up = useModel(model, (m) => m.panel.inverted);
  const unit = useModel(model, (m) => m.samples.unit);
  const which = useModel(model, (m) => m.samples.kinds.join('\n'));
  const recording = useModel(model, (m) => m.recording);
  const threads = useModel(model, (m) => m.selection.tracks);
  const scope = useMemo(() => onAllTracks(about, recording, threads), [about, recording, threads]);
  const key = `samples ${up} ${unit} ${which} ${scopeKey(scope)}`;
  const asked = useAnswer(model, key, (client, waiting) =>
    client.samples(scope, { kinds: which.split('\n'), unit, up }, waiting),
  );
  // The old tree is shown, in its own measure, until the new one is there.
  const tree = useMemo(() => new Tree(asked.answer ?? NO_NODES, up, sampleMeasure(unit)), [asked.answer]);
  return { asked, tree };
}

/** Whether the graph is of calls or of samples; nothing if there is only one of them. */
export function CallsOrSamples({ model }: { model: Model }) {
  const choice = useModel(model, (m) => m.samples.choice);
  const on = useModel(model, (m) => m.samples.on);
  if (!choice) return null;
  return (
    <span class="choice">
      <select
        aria-label="What the graph is made of"
        value={on ? 'samples' : 'calls'}
        onChange={(event) => model.samples.show(event.currentTarget.value === 'samples' ? 'samples' : 'calls')}
      >
        <option value="calls">Calls</option>
        <option value="samples">Samples</option>
      </select>
    </span>
  );
}

/** Which samples the graph is made of, and how. */
export function SampleKinds({ model, answer }: { model: Model; answer: SamplesAnswer | undefined }) {
  const offered = useModel(model, (m) => m.samples.offered);
  const shown = useModel(model, (m) => m.samples.kinds.join('\n')).split('\n');
  const measured = useModel(model, (m) => m.samples.units.length > 0);
  if (offered.length < 2 && !measured) return null;
  const number = (name: string) => answer && (answer.kinds.samples[answer.kinds.name.indexOf(name)] ?? 0);
  return (
    <div class="event-kinds" role="group" aria-label="Kinds of samples">
      {offered.length > 1 &&
        offered.map(({ name }) => (
          <button
            key={name}
            aria-pressed={shown.includes(name)}
            title={`Samples of ${name} in the selection; a click adds them or takes them away`}
            onClick={() => model.samples.toggle(name)}
          >
            {shortName(name)} <small>{answer ? grouped(number(name)!) : ''}</small>
          </button>
        ))}
      <SampleUnit model={model} />
    </div>
  );
}

/** Kinds of the JDK and of async-profiler are known by their last words. */
function shortName(name: string): string {
  return name.replace(/^(jdk|profiler)\./, '');
}

/** How wide the boxes are. */
function SampleUnit({ model }: { model: Model }) {
  const units = useModel(model, (m) => m.samples.units.join('\n'));
  const unit = useModel(model, (m) => m.samples.unit);
  if (units === '') return null;
  return (
    <label class="choice" title="How wide the boxes are; samples without it are left out">
      width:
      <select
        aria-label="What the width of a box is"
        value={unit}
        onChange={(event) => model.samples.weigh(event.currentTarget.value)}
      >
        {['', ...units.split('\n')].map((each) => (
          <option key={each} value={each}>
            {unitSays(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Samples that no box has. */
export function UnknownNote({ answer }: { answer: SamplesAnswer | undefined }) {
  if (!answer || answer.unknown === 0) return null;
  return (
    <span class="pill counted-note" title="The tracer has not recorded where these samples were taken.">
      {grouped(answer.unknown)} without a stack
    </span>
  );
}
