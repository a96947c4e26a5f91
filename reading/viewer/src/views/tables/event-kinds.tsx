import { groupName, groupSays } from '../../base/event-groups';
import { pidsOf, withPid } from '../../render/arrange';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

/** Which kinds of events are listed, and of which process. */
export function EventKinds({ model }: { model: Model }) {
  const { eventFilter } = model;
  const groups = useModel(model, (m) => m.eventFilter.groups);
  const offered = useModel(model, (m) => m.eventFilter.offered);
  return (
    <div class="event-kinds" role="group" aria-label="Kinds of events">
      {offered.length > 1 && (
        <>
          <button
            aria-pressed={groups === undefined}
            title="Events of all kinds"
            onClick={() => eventFilter.showAllGroups()}
          >
            All
          </button>
          {offered.map((group) => (
            <button
              key={group}
              aria-pressed={groups?.has(group) ?? false}
              title={groupSays(group)}
              onClick={() => eventFilter.toggle(group)}
            >
              {groupName(group)}
            </button>
          ))}
        </>
      )}
      <span class="space" />
      <Processes model={model} />
      <Threads model={model} />
    </div>
  );
}

/** The process whose threads are listed and shown. */
function Processes({ model }: { model: Model }) {
  const recording = useModel(model, (m) => m.recording);
  const filter = useModel(model, (m) => m.filter);
  const pids = recording ? pidsOf(recording) : [];
  if (!recording || pids.length < 2) return null;
  const chosen = /(?:^|\s)pid:(\d+)(?:\s|$)/.exec(filter)?.[1] ?? '';
  return (
    <select
      aria-label="Process"
      value={chosen}
      onChange={(event) => model.setFilter(withPid(filter, event.currentTarget.value))}
    >
      <option value="">All processes</option>
      {pids.map((pid) => (
        <option key={pid} value={String(pid)}>
          {pid} {recording.processes.find((process) => process.pid === pid)?.command.slice(0, 60)}
        </option>
      ))}
    </select>
  );
}

/** The timeline's own filter of threads, which also limits the list. */
function Threads({ model }: { model: Model }) {
  const filter = useModel(model, (m) => m.filter.trim());
  if (filter === '') return null;
  return (
    <span class="filter-chip" title="Only threads that pass the filter of the timeline">
      <span>threads ‘{filter}’</span>
      <button
        class="chip-close"
        title="Show all threads again"
        aria-label="Clear the filter of threads"
        onClick={() => model.setFilter('')}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}
