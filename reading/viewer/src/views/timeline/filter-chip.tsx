import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

/** Reports that part of the timeline is pale, and why. */
export function FilterChip({ model }: { model: Model }) {
  const on = useModel(model, (m) => m.eventFilter.on);
  const says = useModel(model, (m) => m.eventFilter.says);
  if (!on) return null;
  return (
    <span
      class="filter-chip"
      role="status"
      title={`The rest of the timeline is pale, and missing from the table Events: ${says}`}
    >
      <span>Only {says}</span>
      <button
        class="chip-close"
        title="Show everything again (Esc)"
        aria-label="Clear the filter of events"
        onClick={() => model.eventFilter.clear()}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}
