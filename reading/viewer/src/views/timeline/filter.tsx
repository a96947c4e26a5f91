import { grouped } from '../../base/time';
import { threadsOf } from '../../render/groups';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

/** Which threads are shown. */
export function Filter({ model }: { model: Model }) {
  const filter = useModel(model, (m) => m.filter);
  const layout = useModel(model, (m) => m.layout);
  const all = model.recording ? threadsOf(model.recording).length : 0;
  return (
    <label class="filter">
      <Icon name="search" />
      <input
        id="filter"
        type="search"
        placeholder="Filter threads"
        aria-label="Filter threads by name or number"
        title="Filter threads by name or number (/)"
        autocomplete="off"
        spellcheck={false}
        value={filter}
        onInput={(event) => model.setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
        }}
      />
      {filter && (
        <small>
          {grouped(layout.shown)} of {grouped(all)}
        </small>
      )}
    </label>
  );
}
