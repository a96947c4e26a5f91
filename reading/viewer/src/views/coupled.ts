import type { TimeWindow } from '../base/window';
import { readMessage, written } from '../base/window-message';
import type { Model } from '../state/model';

/** Within a page of several recordings: reports this window to the page, and moves to the windows it sends. */
export function coupleWithPageAround(model: Model): void {
  if (parent === window) return;
  let sent: TimeWindow | undefined;
  model.subscribe(() => {
    if (!model.recording || model.window === sent) return;
    sent = model.window;
    parent.postMessage(written(sent), location.origin);
  });
  addEventListener('message', (event) => {
    const goal = event.source === parent ? readMessage(event, location.origin) : undefined;
    if (!goal || !model.recording) return;
    model.look(goal);
    // The page that moved this window must not get its move back.
    sent = model.window;
  });
}
