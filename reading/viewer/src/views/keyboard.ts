import { type Action, actionOf } from '../base/keys';
import { zoomTo } from './details/details';
import { zoomToEvents } from './details/event-details';
import type { Model } from '../state/model';
import { showButterfly } from './tables/butterfly';

const ZOOM = 0.6;
const PAN = 0.18;

/** Turns keys into actions; keys typed into a field stay there. */
export function listenToKeys(model: Model): () => void {
  const pressed = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.altKey || target.closest('dialog')) return;
    // The browser closes popovers.
    if (event.key === 'Escape' && document.querySelector(':popover-open')) return;
    // Typed text stays in its field; keys with Ctrl are not text.
    if (!(event.ctrlKey || event.metaKey) && target.closest('input, textarea, select')) return;
    const action = actionOf(event);
    // Enter presses a focused button. On a thread's button it is for the current thread, which may be another one
    // already.
    if (!action) return;
    if (
      (action === 'toggleThread' || action === 'selectThread') &&
      target.closest('button') &&
      !target.closest('.labels')
    )
      return;
    event.preventDefault();
    act(model, action);
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}

/** Performs the action of a key. */
export function act(model: Model, action: Action): void {
  const actions: Record<Action, () => void> = {
    zoomIn: () => model.glideZoom(ZOOM),
    zoomOut: () => model.glideZoom(1 / ZOOM),
    left: () => model.glidePan(-PAN),
    right: () => model.glidePan(PAN),
    whole: () => model.showWhole(),
    back: () => model.lookBack(),
    zoomToCall: () =>
      model.events.place ? zoomToEvents(model, model.events.place) : model.call && zoomTo(model, model.call),
    caller: () => selectCaller(model),
    up: () => step(model, -1),
    down: () => step(model, 1),
    pageUp: () => scroll(-0.8),
    pageDown: () => scroll(0.8),
    toggleThread: () => model.current !== undefined && model.toggle(model.current),
    foldAll: () => model.foldAll(),
    filter: () => document.querySelector<HTMLInputElement>('#filter')?.select(),
    theme: () => model.cycleTheme(),
    pin: () => model.current !== undefined && model.order.togglePin(model.current),
    hide: () => hideCurrent(model),
    bookmark: () => model.bookmarks.addHere(),
    follow: () => model.growth.toggle(),
    arrows: () => model.arrows.toggle(),
    alongArrow: () => model.arrows.follow(),
    bookmarks: () => model.bookmarks.toggleList(),
    search: () => model.search.open(),
    nextHit: () => void model.search.step('next'),
    previousHit: () => void model.search.step('previous'),
    nextPoint: () => model.recording?.instructions && void model.points.step(1),
    previousPoint: () => model.recording?.instructions && void model.points.step(-1),
    goTo: () => model.palette.open('time'),
    longestCall: () => void model.search.sameMethod('longest', false),
    nextCall: () => void model.search.sameMethod('next', false),
    previousCall: () => void model.search.sameMethod('previous', false),
    nextCallHere: () => void model.search.sameMethod('next', true),
    previousCallHere: () => void model.search.sameMethod('previous', true),
    palette: () => model.palette.open('all'),
    selectTime: () =>
      model.call &&
      model.selection.selectRange(
        model.call.begin,
        model.call.end > model.call.begin ? model.call.end : model.call.begin + 1n,
      ),
    selectThread: () => model.current !== undefined && model.selection.toggleTrack(model.current),
    panel: () => togglePanel(model),
    path: () => model.path.ofSelection(),
    butterfly: () => showButterfly(model),
    unselect: () =>
      model.search.shown || model.search.message
        ? model.search.close()
        : model.selected || model.events.place
          ? model.select(undefined)
          : model.selection.clearOne() || model.eventFilter.clear(),
    export: () => model.exporting.open(),
    menu: () => model.menu.openAtKeyboard(),
    help: () => {
      model.help = true;
      model.changed();
    },
  };
  actions[action]();
}

/** Focuses the panel after it was opened by a key, so that the next keys reach it. */
function togglePanel(model: Model): void {
  model.panel.toggle();
  if (!model.panel.open) return;
  const focus = () => document.querySelector<HTMLElement>('.panel [role=tab][aria-selected=true]')?.focus();
  // The next frame notifies the views; by the one after it they are drawn.
  requestAnimationFrame(() => requestAnimationFrame(focus));
}

/** Hides the thread the keyboard is at and goes on to the next one. */
function hideCurrent(model: Model): void {
  const { current } = model;
  if (current === undefined) return;
  step(model, 1);
  if (model.current === current) step(model, -1);
  model.order.hide(current);
}

function selectCaller(model: Model): void {
  const { call } = model;
  const caller = call?.callers.at(-1);
  if (call && caller) model.select({ track: call.track, depth: call.depth - 1, time: caller.begin });
}

/** Goes to the thread above or below. */
function step(model: Model, by: 1 | -1): void {
  const tracks = model.layout.rows.flatMap((row) => (row.kind === 'track' ? [row.track.id] : []));
  const at = model.current === undefined ? -1 : tracks.indexOf(model.current);
  const next = at < 0 ? (by > 0 ? 0 : tracks.length - 1) : at + by;
  model.current = tracks[Math.min(tracks.length - 1, Math.max(0, next))];
  model.changed();
}

function scroll(share: number): void {
  const scroller = document.querySelector('.scroller');
  scroller?.scrollBy({ top: scroller.clientHeight * share });
}
