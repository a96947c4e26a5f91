import type { Address } from '../base/address';
import type { Nanos } from '../base/time';
import { LostError, RefusedError } from '../data/client';
import type { OwnListAnswer, Recording } from '../data/contract';
import type { Model } from './model';

/** Events of the program's own on a track, between two times. */
export interface EventsPlace {
  readonly track: number;
  readonly from: Nanos;
  readonly to: Nanos;
}

/** So many events are told at once. */
const MOST = 100;

/** The selected events of the program's own, and what they tell. */
export class SelectedEvents {
  place: EventsPlace | undefined;
  /** Undefined while it is asked for, null if it cannot be told. */
  answer: OwnListAnswer | null | undefined;

  constructor(private readonly model: Model) {}

  select(place: EventsPlace | undefined): void {
    this.place = place;
    this.answer = undefined;
    if (place) void this.ask(place);
  }

  private async ask(place: EventsPlace): Promise<void> {
    const { model } = this;
    try {
      const answer = await model.client.ownList({ ...place, max: MOST });
      await model.methods.need(answer.event);
      if (this.place === place) this.answer = answer;
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
      if (this.place === place) this.answer = null;
    }
    model.changed();
  }

  address(): Pick<Address, 'events'> {
    return this.place ? { events: this.place } : {};
  }

  apply({ events }: Address, { tracks }: Recording): void {
    this.select(events && events.track < tracks.length ? events : undefined);
  }
}
