import { type AddressMessage, readViewerMessage } from '../base/viewer-message';
import type { TimeWindow } from '../base/window';
import { readMessage, written } from '../base/window-message';
import type { Model } from '../state/model';
import { revealRow } from '../state/reveal';

/**
 * Within a page of several recordings: reports this window and this address to the page, moves to the windows and shows
 * the calls that it sends.
 */
export function coupleWithPageAround(model: Model): void {
  if (parent === window) return;
  let sent: TimeWindow | undefined;
  model.subscribe(() => {
    if (!model.recording || model.window === sent) return;
    sent = model.window;
    parent.postMessage(written(sent), location.origin);
  });
  model.addressed = (hash) => {
    const message: AddressMessage = { kymo: 'address', hash };
    parent.postMessage(message, location.origin);
  };
  addEventListener('message', (event) => {
    if (event.source !== parent || !model.recording) return;
    const goal = readMessage(event, location.origin);
    if (goal) {
      model.look(goal);
      // The page that moved this window must not get its move back.
      sent = model.window;
    }
    const message = readViewerMessage(event, location.origin);
    if (message?.kymo === 'show') revealRow(model, message.track, message.depth, BigInt(message.time));
  });
}
