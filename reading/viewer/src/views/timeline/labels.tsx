import { useEffect, useRef } from 'preact/hooks';
import { shortCommand } from '../../base/command';
import { briefCount, errorSays, grouped } from '../../base/time';
import { budgetSays, tookSays } from '../../base/modes';
import type { Track } from '../../data/contract';
import {
  type CrowdRow,
  type GroupRow,
  type ProcessRow,
  rowsBetween,
  type Row,
  type StepsRow,
  type TrackRow,
  isOfActivities,
} from '../../render/layout';
import { CounterLabels } from './counter-labels';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { numberOf, shortNumberOf } from '../parts/thread-name';
import { useModel } from '../parts/use';

/** What name and facts of an unfolded thread need. */
const NAME_HEIGHT = 72;

/**
 * Names of the rows in sight, left of the picture. They are buttons, so that keyboards and screen readers find them.
 */
export function Labels(props: { model: Model; rows: readonly Row[]; scrollTop: number; height: number }) {
  const { model, scrollTop, height } = props;
  const rows = rowsBetween(props.rows, scrollTop, scrollTop + height);
  return (
    <div class="labels" role="list" aria-label="Threads">
      {rows.map((row) => (
        <RowLabel key={keyOf(row)} model={model} row={row} top={row.top - scrollTop} />
      ))}
    </div>
  );
}

function keyOf(row: Row): string {
  if (row.kind === 'track') return `t${row.track.id}`;
  if (row.kind === 'crowd') return `c${row.crowd.key}`;
  return (row.kind === 'group' ? row.of : row.kind) + row.process.process;
}

function RowLabel({ model, row, top }: { model: Model; row: Row; top: number }) {
  switch (row.kind) {
    case 'process':
      return <ProcessLabel model={model} row={row} top={top} />;
    case 'group':
      return <GroupLabel model={model} row={row} top={top} />;
    case 'crowd':
      return <CrowdLabel model={model} row={row} top={top} />;
    case 'steps':
      return <StepsLabel model={model} row={row} top={top} />;
    case 'track':
      return <TrackLabel model={model} row={row} top={top} />;
  }
}

export const GROUPS: Record<GroupRow['of'], string> = {
  jvm: 'Java virtual machine',
  cpu: 'Processors',
  idle: 'Threads without calls',
};
const ABOUT_GROUPS: Record<GroupRow['of'], string> = {
  jvm: 'What the virtual machine did, and its own threads',
  cpu: 'Which threads each processor ran',
  idle: 'Threads of the program without a recorded call',
};

function GroupLabel({ model, row, top }: { model: Model; row: GroupRow; top: number }) {
  return (
    <div class="group" role="listitem" style={{ top: `${top}px`, height: `${row.height}px` }}>
      <button
        aria-expanded={!row.closed}
        title={ABOUT_GROUPS[row.of]}
        onClick={() =>
          row.of === 'idle' ? model.order.toggleIdle(row.process.process) : model.order.toggleGroup(row.process.process)
        }
      >
        <Icon name={row.closed ? 'closed' : 'open'} />
        {GROUPS[row.of]}
        {row.closed && <small>{grouped(row.tracks)} folded</small>}
      </button>
    </div>
  );
}

/** Very many threads as one. */
function CrowdLabel({ model, row, top }: { model: Model; row: CrowdRow; top: number }) {
  const { crowd, members, closed } = row;
  const title = 'The number of live threads over time; a click shows each thread';
  return (
    <div class="group crowd" role="listitem" style={{ top: `${top}px`, height: `${row.height}px` }}>
      <button aria-expanded={!closed} title={title} onClick={() => model.order.toggleCrowd(crowd.key)}>
        <Icon name={closed ? 'closed' : 'open'} />
        <span class="crowd-name">{crowd.name}</span>
        <small>({grouped(members.length)})</small>
      </button>
    </div>
  );
}

function StepsLabel({ model, row, top }: { model: Model; row: StepsRow; top: number }) {
  const steps = useModel(model, (m) => m.steps.list).filter((step) => step.process === row.process.process);
  const title =
    'Times when the recorder began to count a method’s calls instead of recording each, or the reverse: list them';
  return (
    <div class="group" role="listitem" style={{ top: `${top}px`, height: `${row.height}px` }}>
      <button title={title} onClick={() => model.panel.show('recorder')}>
        <Icon name="recorder" />
        Recorder
        <small>
          {grouped(steps.length)} {steps.length === 1 ? 'step' : 'steps'}
        </small>
      </button>
    </div>
  );
}

function ProcessLabel({ model, row, top }: { model: Model; row: ProcessRow; top: number }) {
  const { process, closed, threads } = row;
  const { command, jvm, end } = process;
  const facts = [command, jvm, budgetSays(process), tookSays(process), errorSays(process), 'recording ' + end]
    .filter(Boolean)
    .join('\n');
  return (
    <div class="process" role="listitem" style={{ top: `${top}px` }}>
      <button aria-expanded={!closed} title={facts} onClick={() => model.order.toggleProcess(process.process)}>
        <Icon name={closed ? 'closed' : 'open'} />
        <b>{process.pid > 0 ? process.pid : process.jvm ? 'process' : isOfActivities(process) ? '' : 'kernel'}</b>{' '}
        <span>{shortCommand(process.command)}</span>
        {closed && <small>{grouped(threads)} folded</small>}
        {process.lost > 0 && (
          <em class="warn" title="Events of threads for which there was no ring">
            {grouped(process.lost)} lost
          </em>
        )}
      </button>
    </div>
  );
}

function TrackLabel({ model, row, top }: { model: Model; row: TrackRow; top: number }) {
  const { track, open } = row;
  const button = useRef<HTMLButtonElement>(null);
  const following = useRef(false);
  const current = model.current === track.id;
  const pinned = model.order.pinned.includes(track.id);
  const picked = useModel(model, (m) => m.selection.tracks.has(track.id));
  // The name of a thread stays in sight when its begin is scrolled away.
  const hidden = open ? Math.max(0, Math.min(-top, row.height - NAME_HEIGHT)) : 0;
  useEffect(() => {
    // Moves the focus from thread to thread with the keyboard, but never takes it from elsewhere.
    const focused = document.activeElement;
    if (!current || !(focused instanceof HTMLElement && focused.closest('.labels'))) return;
    following.current = true;
    button.current?.focus();
    following.current = false;
  }, [current]);
  return (
    <div role="listitem">
      <div
        class={'track' + (open ? ' open' : '') + (current ? ' current' : '') + (picked ? ' picked' : '')}
        style={{ top: `${top}px`, height: `${row.height}px` }}
        data-track={track.id}
      >
        <div style={{ paddingTop: `${hidden}px` }} />
        <button
          ref={button}
          class="unfold"
          aria-expanded={open}
          style={!open && row.counters[0] ? { height: `${row.counters[0].band.top}px` } : undefined}
          title={description(track)}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey) model.selection.toggleTrack(track.id);
            else model.toggle(track.id);
          }}
          onFocus={() => {
            // The current thread may already be ahead of the focus.
            if (following.current) return;
            model.current = track.id;
            model.changed();
          }}
        >
          <Icon name={open ? 'open' : 'closed'} />
          <span class="name">{track.name || 'thread ' + track.thread}</span>
          {picked && <small class="picked-word">selected</small>}
          {row.namesake && !open && <small class="number">{shortNumberOf(track)}</small>}
          {track.virtual && <small>virtual</small>}
          {track.lost > 0 && <em class="warn">{grouped(track.lost)} lost</em>}
        </button>
        {open && (
          <p>
            {callsSay(track)}, {grouped(track.depth)} deep
            <br />
            {numberOf(track)}
          </p>
        )}
        <CounterLabels model={model} row={row} />
      </div>
      <span class="thread-tools" style={{ top: `${top + 4}px` }}>
        <button
          class={'plain' + (pinned ? ' on' : '')}
          title={pinned ? 'Unpin (I)' : 'Pin to the top (I)'}
          aria-label={`Pin ${track.name} to the top`}
          aria-pressed={pinned}
          tabIndex={current ? 0 : -1}
          onClick={() => model.order.togglePin(track.id)}
        >
          <Icon name="pin" />
        </button>
        <button
          class="plain"
          title="Hide (H)"
          aria-label={`Hide ${track.name}`}
          tabIndex={current ? 0 : -1}
          onClick={() => model.order.hide(track.id)}
        >
          <Icon name="hide" />
        </button>
      </span>
    </div>
  );
}

const WHAT: Partial<Record<Track['kind'], string>> = {
  jvm: 'what the virtual machine did',
  cpu: 'which threads a processor ran',
};

function callsSay({ kind, calls, counted, instants = 0 }: Track): string {
  if (kind === 'states') return `waited ${grouped(calls)} times`;
  if (kind === 'scheduled') return `${grouped(calls)} states of the scheduler`;
  const own = instants > 0 ? `, ${grouped(instants)} events` : '';
  if (kind === 'cpu') return `${grouped(calls)} turns and interrupts` + own;
  return `${grouped(calls)} calls` + (counted > 0 ? ` and ${briefCount(counted)} counted` : '') + own;
}

function description(track: Track): string {
  const thread = track.virtual ? 'virtual thread' : `thread, tid ${track.tid}`;
  const what = WHAT[track.kind] ?? `${thread}, ${track.kind === 'scheduled' ? 'pid' : 'id'} ${track.javaId}`;
  const lines = [track.name, what, `${callsSay(track)}, ${track.depth} deep`];
  if (track.kind === 'states' || track.kind === 'scheduled')
    lines[2] = `${callsSay(track)}; none of its calls are recorded`;
  if (track.lost > 0) lines.push(`${grouped(track.lost)} events lost: the picture is incomplete`);
  return lines.join('\n');
}
