import type { Place } from '../base/address';
import { type Box, readViewerMessage, type ViewerMessage } from '../base/viewer-message';
import type { TimeWindow } from '../base/window';
import { readMessage, written } from '../base/window-message';
import { drawnAt } from '../state/drawn';
import type { Model } from '../state/model';
import { revealRow } from '../state/reveal';
import { ReportedScroll } from './scrolled';

/**
 * Within a page of several recordings: reports this window, this address, the selected call and the thread at the
 * upper edge to the page; moves to the windows and shows the calls and threads that it sends.
 */
export function coupleWithPageAround(model: Model): void {
  if (parent === window) return;
  const tell = (message: ViewerMessage) => parent.postMessage(message, location.origin);
  const selection = new ReportedSelection(model, tell);
  const scroll = new ReportedScroll(model, tell);
  let sent: TimeWindow | undefined;
  model.subscribe(() => {
    if (!model.recording) return;
    selection.changed();
    scroll.changed();
    if (model.window === sent) return;
    sent = model.window;
    parent.postMessage(written(sent), location.origin);
  });
  model.addressed = (hash) => tell({ kymo: 'address', hash });
  addEventListener('message', (event) => {
    if (event.source !== parent || !model.recording) return;
    const goal = readMessage(event, location.origin);
    if (goal) {
      model.look(goal);
      // The page that moved this window must not get its move back.
      sent = model.window;
    }
    const message = readViewerMessage(event, location.origin);
    if (message?.kymo === 'colours') {
      model.methods.colourBy(message.methods ? new Map(message.methods) : undefined);
      model.changed();
    }
    if (message?.kymo === 'scrolled') scroll.follow(message.track, message.pixels);
    if (message?.kymo !== 'show') return;
    revealRow(model, message.track, message.depth, BigInt(message.time));
    selection.isKnown();
  });
}

/** Tells the page which call is selected, unless the page has said so, and where it is drawn. */
class ReportedSelection {
  private place: Place | undefined;
  private begun = false;
  private at: Box | null = null;

  constructor(
    private readonly model: Model,
    private readonly tell: (message: ViewerMessage) => void,
  ) {}

  /** The page knows what is selected now. */
  isKnown(): void {
    this.place = this.model.selected;
  }

  changed(): void {
    const { selected } = this.model;
    // What the address has selected at first is no choice of the reader's.
    if (!this.begun) this.isKnown();
    this.begun = true;
    if (selected !== this.place) {
      this.place = selected;
      const call = selected ? { track: selected.track, depth: selected.depth, time: String(selected.time) } : null;
      this.tell({ kymo: 'selected', call });
    }
    const at = drawnAt(this.model);
    if (at === this.at || (at && this.at && sameBox(at, this.at))) return;
    this.at = at;
    this.tell({ kymo: 'drawn', at });
  }
}

function sameBox(a: Box, b: Box): boolean {
  return a.left === b.left && a.right === b.right && a.top === b.top && a.bottom === b.bottom;
}
