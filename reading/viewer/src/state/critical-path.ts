import type { Address } from '../base/address';
import type { PathQuestion } from '../data/client';
import type { PathAnswer, Recording } from '../data/contract';
import { windowEnd } from '../base/window';
import type { PathStep } from '../render/scene';
import type { Core } from './core';
import { bringRowIntoSight } from './reveal';

/** The critical path: the stretch it belongs to, and its steps as soon as they are known. */
export class CriticalPaths {
  place: PathQuestion | undefined;
  /** The steps that the picture shows while the table is open. */
  steps: readonly PathStep[] = [];
  /** It comes from a link: its thread has to be brought into sight. */
  private linked = false;

  constructor(private readonly core: Core) {}

  /** The selected time range of one thread, or else the selected call. */
  get selected(): PathQuestion | undefined {
    const { selection, call } = this.core;
    const [track, ...others] = selection.tracks;
    if (selection.range && track !== undefined && others.length === 0) return { track, ...selection.range };
    return call && call.end > call.begin ? { track: call.track, from: call.begin, to: call.end } : undefined;
  }

  /** Shows the path of the selection, if there is one. */
  ofSelection(): void {
    this.place = this.selected ?? this.place;
    this.core.panel.show('path');
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
      bringRowIntoSight(this.core, this.place.track, 0);
    }
    this.core.changed();
  }

  /** Brings a step into sight with some time around it. */
  goTo(row: number): void {
    const step = this.steps[row];
    if (!step) return;
    const { core } = this;
    const { window } = core;
    const wide = step.end - step.begin;
    const inSight = step.begin >= window.start && step.end <= windowEnd(window) && Number(wide) > window.span / 50;
    if (!inSight) core.showInterval(step.begin - wide / 2n, step.end + wide / 2n);
    bringRowIntoSight(core, step.track, 0);
  }

  address(): Pick<Address, 'path'> {
    return this.place && this.core.panel.open && this.core.panel.tab === 'path' ? { path: this.place } : {};
  }

  apply({ path }: Address, { tracks }: Recording): void {
    this.place = path && path.track < tracks.length ? path : undefined;
    this.linked = this.place !== undefined;
  }
}
