import { Icon } from './icons';
import type { Model } from './model';
import { useModel } from './use';

/** Says that part of the timeline is pale, and why. */
export function FilterChip({ model }: { model: Model }) {
  const on = useModel(model, (m) => m.eventFilter.on);
  const says = useModel(model, (m) => m.eventFilter.says);
  if (!on) return null;
  return (
    <span class="filter-chip" role="status" title={`The rest of the timeline is pale, and not in the table Events: ${says}`}>
      <span>
        Only {says}
      </span>
      <button class="chip-close" title="Show everything again (Esc)" aria-label="Clear the filter of events" onClick={() => model.eventFilter.clear()}>
        <Icon name="close" />
      </button>
    </span>
  );
}
