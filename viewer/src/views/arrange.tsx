import { grouped } from '../base/time';
import { isSort, type Sort, SORTS } from '../render/arrange';
import type { Model } from './model';
import { useModel } from './use';

const NAMES: Readonly<Record<Sort, string>> = {
  recorded: 'as recorded',
  name: 'by name',
  start: 'by start',
  calls: 'by calls',
  tid: 'by tid',
};

/** In what order threads are, and those not shown. */
export function Arrange({ model }: { model: Model }) {
  const sort = useModel(model, (m) => m.order.sort);
  const hidden = useModel(model, (m) => m.order.hidden.size);
  return (
    <div class="arrange">
      <label>
        Threads{' '}
        <select
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
      </label>
      {hidden > 0 && (
        <button class="link" onClick={() => model.order.showHidden()}>
          show {grouped(hidden)} hidden
        </button>
      )}
    </div>
  );
}
