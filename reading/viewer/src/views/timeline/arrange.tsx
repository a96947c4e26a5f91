import { grouped } from '../../base/time';
import { isSort, type Sort, SORTS } from '../../render/arrange';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

const NAMES: Readonly<Record<Sort, string>> = {
  recorded: 'Threads as recorded',
  name: 'Threads by name',
  start: 'Threads by start',
  calls: 'Threads by calls',
  tid: 'Threads by tid',
};

/** The order of threads, and the hidden ones. */
export function Arrange({ model }: { model: Model }) {
  const sort = useModel(model, (m) => m.order.sort);
  const hidden = useModel(model, (m) => m.order.hidden.size);
  return (
    <div class="arrange">
      <select
        aria-label="Order of threads"
        title="Order of threads"
        value={sort}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (isSort(value)) model.order.sortBy(value);
        }}
      >
        {SORTS.map((name) => (
          <option value={name}>{NAMES[name]}</option>
        ))}
      </select>
      {hidden > 0 && (
        <button class="link" onClick={() => model.order.showHidden()}>
          show {grouped(hidden)} hidden
        </button>
      )}
    </div>
  );
}
