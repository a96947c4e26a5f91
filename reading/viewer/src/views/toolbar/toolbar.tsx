import { briefCount, grouped, brief, wallTime } from '../../base/time';
import { threadsOf } from '../../render/groups';
import { helpersOf } from '../../render/helpers';
import { ArrowsMenu } from './arrows-menu';
import { ExportMenu } from '../export/menu';
import { Icon } from '../parts/icons';
import { LiveButton } from './live-button';
import type { Model } from '../../state/model';
import { MarkedMethod } from './about';
import { useModel } from '../parts/use';

function count(number: number, word: string, plural = word + 's'): string {
  return `${grouped(number)} ${number === 1 ? word : plural}`;
}

/** The page's own icon: a file beside it, or in the page itself. */
const LOGO = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;

/** The line at the top: the recording, and the buttons. */
export function Toolbar({ model }: { model: Model }) {
  const recording = useModel(model, (m) => m.recording);
  const theme = useModel(model, (m) => m.themeChoice);
  const panel = useModel(model, (m) => m.panel.open);
  return (
    <header class="toolbar">
      <img class="logo" src={LOGO} alt="" />
      <h1>{recording?.name ?? 'Kymo'}</h1>
      {recording && <Facts model={model} />}
      <LiveButton model={model} />
      <span class="space" />
      <button
        class="plain"
        title="Search methods (Ctrl F)"
        aria-label="Search methods"
        onClick={() => model.search.open()}
      >
        <Icon name="search" />
      </button>
      <button
        class="plain"
        title="Bookmarks (Shift B)"
        aria-label="Bookmarks"
        onClick={() => model.bookmarks.toggleList()}
      >
        <Icon name="flag" />
      </button>
      <button
        class="plain"
        title="Commands, threads and methods by name (Ctrl K)"
        aria-label="Commands"
        onClick={() => model.palette.open('all')}
      >
        <Icon name="more" />
      </button>
      <ExportMenu model={model} />
      {!panel && <MarkedMethod model={model} />}
      <ArrowsMenu model={model} />
      <button
        class={'plain tables-button' + (panel ? ' pressed' : '')}
        title="Tables about the selection (P)"
        aria-pressed={panel}
        onClick={() => model.panel.toggle()}
      >
        <Icon name="panel" />
        Tables
      </button>
      <div class="buttons" role="group" aria-label="Zoom">
        <button title="Zoom out (S)" aria-label="Zoom out" onClick={() => model.glideZoom(2)}>
          <Icon name="minus" />
        </button>
        <button title="Whole recording (0)" aria-label="Whole recording" onClick={() => model.showWhole()}>
          <Icon name="whole" />
        </button>
        <button title="Zoom in (W)" aria-label="Zoom in" onClick={() => model.glideZoom(0.5)}>
          <Icon name="plus" />
        </button>
      </div>
      <button
        class="plain"
        title={`Colours: ${theme === 'system' ? 'the system’s' : theme} (T)`}
        aria-label={`Colours: ${theme === 'system' ? 'the system’s' : theme}`}
        onClick={() => model.cycleTheme()}
      >
        <Icon name={theme} />
      </button>
      <button
        class="plain"
        title="Keys and marks (?)"
        aria-label="Help"
        onClick={() => {
          model.help = true;
          model.changed();
        }}
      >
        <Icon name="help" />
      </button>
    </header>
  );
}

function Facts({ model }: { model: Model }) {
  const recording = useModel(model, (m) => m.recording)!;
  const lost =
    recording.tracks.reduce((sum, track) => sum + track.lost, 0) +
    recording.processes.reduce((sum, process) => sum + process.lost, 0);
  const calls = recording.tracks.reduce((sum, track) => sum + (track.kind === 'calls' ? track.calls : 0), 0);
  const helpers = helpersOf(recording).size;
  const threads = threadsOf(recording).length - helpers;
  const states = recording.tracks.reduce((sum, track) => sum + (track.kind === 'scheduled' ? track.calls : 0), 0);
  const events = recording.tracks.reduce((sum, track) => sum + (track.instants ?? 0), 0);
  const processors = recording.tracks.filter((track) => track.kind === 'cpu').length; // in logs of other systems, this is all there is
  const programs = recording.processes.filter((process) => process.pid !== 0).length;
  const counted = recording.tracks.reduce((sum, track) => sum + track.counted, 0);
  return (
    <p class="facts">
      <span title={'Began ' + wallTime(recording.wallBegin, 0n)}>{brief(recording.duration)}</span>
      {programs > 1 && <span>{count(programs, 'process', 'processes')}</span>}
      {threads > 0 || processors === 0 ? (
        <>
          <span
            title={
              helpers > 0 ? `and ${grouped(helpers)} of the virtual machine or without a recorded call` : undefined
            }
          >
            {count(threads, 'thread')}
          </span>
          {(calls > 0 || states === 0) && <span>{count(calls, 'call')}</span>}
        </>
      ) : (
        <span>{count(processors, 'processor')}</span>
      )}
      {states > 0 && (
        <span title={`What the kernel did with the threads: ${count(states, 'state')}`}>
          {processors > 0 ? `kernel: ${count(processors, 'CPU')}` : 'kernel'}
        </span>
      )}
      {events > 0 && <span>{count(events, 'event')}</span>}
      {counted > 0 && (
        <span title="Recording each of them would have cost more than the budget allows: their number and times are in the tables.">
          {briefCount(counted)} counted, not drawn
        </span>
      )}
      {lost > 0 && (
        <span class="warn" title="They are hatched in the picture; totals over them are lower bounds.">
          {count(lost, 'event')} lost
        </span>
      )}
      {recording.oddities.length > 0 && (
        <span class="warn" title={recording.oddities.slice(0, 20).join('\n')}>
          {count(recording.oddities.length, 'oddity', 'oddities')}
        </span>
      )}
    </p>
  );
}
