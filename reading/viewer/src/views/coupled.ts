import type { TimeWindow } from '../base/window';
import { readMessage, written } from '../compare/messages';
import type { Model } from './model';

/** Within a page of several recordings: tells it where one looks here, and looks where it says. */
export function coupleWithPageAround(model: Model): void {
  if (parent === window) return;
  let told: TimeWindow | undefined;
  model.subscribe(() => {
    if (!model.recording || model.window === told) return;
    told = model.window;
    parent.postMessage(written(told), location.origin);
  });
  addEventListener('message', (event) => {
    const goal = event.source === parent ? readMessage(event, location.origin) : undefined;
    if (!goal || !model.recording) return;
    model.look(goal);
    // Whoever moved all of them is not to be told that this one moved.
    told = model.window;
  });
}
