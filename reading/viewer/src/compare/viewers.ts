import { type Box, type ColoursMessage, readViewerMessage, type ShowMessage } from '../base/viewer-message';
import type { TimeWindow } from '../base/window';
import { readMessage, written } from '../base/window-message';
import { make } from '../differences/dom';

/** What the viewers report. */
export interface ViewersPage {
  moved(index: number, window: TimeWindow): void;
  /** A viewer has loaded its recording. */
  ready(index: number): void;
  /** A viewer's address has changed. */
  changed(): void;
  /** The reader has selected a call, or nothing any more. */
  selected(index: number, call: Omit<ShowMessage, 'kymo'> | null): void;
  /** The reader has scrolled: this track is at the upper edge, so many CSS pixels of it above. */
  scrolled(index: number, track: number, pixels: number): void;
  /** The selected call is drawn elsewhere, in CSS pixels of its frame. */
  drawn(index: number, at: Box | null): void;
}

/** The viewers of several recordings, each in a frame, one above the other. */
export class Viewers {
  readonly element = make('div', '');
  /** Their addresses, by recording. */
  readonly hashes: string[];
  private readonly heardOf = new Set<number>();
  private readonly frames: readonly HTMLIFrameElement[];

  constructor(
    names: readonly string[],
    hashes: readonly string[],
    private readonly page: ViewersPage,
  ) {
    this.hashes = [...hashes];
    this.element.className = 'viewers';
    this.frames = names.map((name, i) => {
      const frame = make('iframe', '', this.element);
      frame.src = `${i + 1}/${hashes[i] ? '#' + hashes[i] : ''}`;
      frame.title = `${i + 1}: ${name}`;
      return frame;
    });
    addEventListener('message', (event) => this.heard(event));
  }

  private heard(event: MessageEvent): void {
    const index = this.frames.findIndex((frame) => frame.contentWindow === event.source);
    if (index < 0) return;
    const window = readMessage(event, location.origin);
    if (window && !this.heardOf.has(index)) this.page.ready(index);
    if (window) this.heardOf.add(index);
    if (window) this.page.moved(index, window);
    const message = readViewerMessage(event, location.origin);
    if (message?.kymo === 'selected') this.page.selected(index, message.call);
    if (message?.kymo === 'scrolled') this.page.scrolled(index, message.track, message.pixels);
    if (message?.kymo === 'drawn') this.page.drawn(index, message.at);
    if (message?.kymo !== 'address') return;
    this.hashes[index] = message.hash.replace(/^#/, '');
    this.page.changed();
  }

  /** Where a frame's content is, in CSS pixels of this element. */
  place(index: number): { left: number; top: number } {
    const { offsetLeft, offsetTop, clientLeft, clientTop } = this.frames[index]!;
    return { left: offsetLeft + clientLeft, top: offsetTop + clientTop };
  }

  /** Keys pressed in a viewer stay there, unless Alt is held. */
  listen(pressed: (event: KeyboardEvent) => void): void {
    for (const frame of this.frames)
      frame.addEventListener('load', () => frame.contentWindow?.addEventListener('keydown', pressed));
  }

  move(index: number, window: TimeWindow): void {
    this.frames[index]!.contentWindow?.postMessage(written(window), location.origin);
  }

  show(index: number, call: Omit<ShowMessage, 'kymo'>): void {
    const message: ShowMessage = { kymo: 'show', track: call.track, depth: call.depth, time: call.time };
    this.frames[index]!.contentWindow?.postMessage(message, location.origin);
  }

  scroll(index: number, track: number, pixels: number): void {
    this.frames[index]!.contentWindow?.postMessage({ kymo: 'scrolled', track, pixels }, location.origin);
  }

  /** Colours methods by how they differ; null = as usual. */
  colour(index: number, methods: ColoursMessage['methods']): void {
    const message: ColoursMessage = { kymo: 'colours', methods };
    this.frames[index]!.contentWindow?.postMessage(message, location.origin);
  }

  /** Gives the viewers other addresses. */
  go(hashes: readonly string[]): void {
    this.frames.forEach((frame, i) => {
      const hash = hashes[i] ?? '';
      const { location: place } = frame.contentWindow!;
      // A relative address would be one of this page.
      if (hash !== this.hashes[i]) place.replace(new URL('#' + hash, place.href));
    });
  }
}
