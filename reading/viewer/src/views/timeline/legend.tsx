import { useEffect, useState } from 'preact/hooks';
import { stateSays } from '../../base/states';
import { type LegendEntry, legendOf } from '../../render/legend';
import { FilterChip } from './filter-chip';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

/** How long the picture must rest before the legend is updated. */
const STILL_MS = 250;

/** What the colours in sight mean; it can be folded. */
export function Legend({ model }: { model: Model }) {
  const shown = useModel(model, (m) => m.legend.shown);
  const theme = useModel(model, (m) => m.theme);
  const entries = useLegend(model, shown, theme);
  return (
    <div class="legend-line" role="group" aria-label="Legend">
      <button
        class="legend-fold"
        aria-expanded={shown}
        title="What the colours in sight mean"
        onClick={() => model.legend.toggle()}
      >
        <Icon name={shown ? 'open' : 'closed'} />
        Legend
      </button>
      {shown && (
        <ul class="legend-entries" aria-label="Colours in sight" tabIndex={0}>
          {entries.map((entry) => (
            <li key={(entry.state ? '! ' : '') + entry.name}>
              <Entry model={model} entry={entry} />
            </li>
          ))}
        </ul>
      )}
      <FilterChip model={model} />
    </div>
  );
}

function Entry({ model, entry }: { model: Model; entry: LegendEntry }) {
  const { name, colour, state, pattern } = entry;
  const swatch = <i class="swatch" style={{ background: colour }} />;
  if (pattern === undefined) {
    return (
      <span title={state && stateSays(state)}>
        {swatch}
        {name}
      </span>
    );
  }
  return (
    <button title={`Find ${name}`} onClick={() => model.search.open(pattern)}>
      {swatch}
      {name}
    </button>
  );
}

/** The colours in sight once the picture rests; names may come later. */
function useLegend(model: Model, shown: boolean, theme: string): readonly LegendEntry[] {
  const [entries, setEntries] = useState<readonly LegendEntry[]>([]);
  useEffect(() => {
    if (!shown) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer = undefined;
      const scene = model.scene?.();
      if (scene) setEntries((old) => sameOr(old, legendOf(scene)));
    };
    const changed = () => {
      clearTimeout(timer);
      timer = setTimeout(look, STILL_MS);
    };
    changed();
    const stop = model.subscribe(changed);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [model, shown, theme]);
  return entries;
}

function sameOr(old: readonly LegendEntry[], found: readonly LegendEntry[]): readonly LegendEntry[] {
  const same =
    old.length === found.length &&
    old.every((entry, i) => entry.name === found[i]!.name && entry.colour === found[i]!.colour);
  return same ? old : found;
}
