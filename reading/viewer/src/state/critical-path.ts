import type { Address } from '../base/address';
import type { PathQuestion } from '../data/client';
import type { PathAnswer, Recording } from '../data/contract';
import { windowEnd } from '../base/window';
import type { PathStep } from '../render/path';
import type { Model } from './model';
import { bringRowIntoSight } from './reveal';

/** Whose critical path is shown, and its steps as soon as they are known. */
export class CriticalPaths {
  place: PathQuestion | undefined;
  /** What the picture shows of it, while its table is open. */
  steps: readonly PathStep[] = [];
  /** It comes from a link: nobody has looked at its thread. */
  private linked = false;

  constructor(private readonly model: Model) {}

  /** What is selected: a time range on one thread, else a call. */
  get selected(): PathQuestion | undefined {
    const { selection, call } = this.model;
    const [track, ...others] = selection.tracks;
    if (selection.range && track !== undefined && others.length === 0) return { track, ...selection.range };
    return call && call.end > call.begin ? { track: call.track, from: call.begin, to: call.end } : undefined;
  }

  /** Shows the path of what is selected, which may be none. */
  ofSelection(): void {
    this.place = this.selected ?? this.place;
    this.model.panel.show('path');
  }

  shows(place: PathQuestion | undefined): boolean {
    const { place: now } = this;
    return now?.track === place?.track && now?.from === place?.from && now?.to === place?.to;
  }

  draw(answer: PathAnswer | undefined): void {
    this.steps =
      answer?.track.map((track, i) => {
        const begin = BigInt(answer.begin[i]!);
        return { track, kind: answer.kind[i]!, begin, end: begin + BigInt(answer.duration[i]!) };
      }) ?? [];
    if (this.linked && this.place && answer) {
      this.linked = false;
      bringRowIntoSight(this.model, this.place.track, 0);
    }
    this.model.changed();
  }

  /** Brings a step into sight, with some of what is around it. */
  goTo(row: number): void {
    const step = this.steps[row];
    if (!step) return;
    const { model } = this;
    const { window } = model;
    const wide = step.end - step.begin;
    const inSight = step.begin >= window.start && step.end <= windowEnd(window) && Number(wide) > window.span / 50;
    if (!inSight) model.showInterval(step.begin - wide / 2n, step.end + wide / 2n);
    bringRowIntoSight(model, step.track, 0);
  }

  address(): Pick<Address, 'path'> {
    return this.place && this.model.panel.open && this.model.panel.tab === 'path' ? { path: this.place } : {};
  }

  apply({ path }: Address, { tracks }: Recording): void {
    this.place = path && path.track < tracks.length ? path : undefined;
    this.linked = this.place !== undefined;
  }
}
