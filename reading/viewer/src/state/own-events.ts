import type { Address } from '../base/address';
import type { Nanos } from '../base/time';
import { type Client, LostError, RefusedError } from '../data/client';
import type { OwnListAnswer, Recording } from '../data/contract';
import type { Methods } from '../data/methods';

/** Events of the program's own on a track, between two times. */
export interface EventsPlace {
  readonly track: number;
  readonly from: Nanos;
  readonly to: Nanos;
}

/** Maximum number of events in one answer. */
const MOST = 100;

/** The selected events of the program's own, and their data. */
export class SelectedEvents {
  place: EventsPlace | undefined;
  /** Undefined while it is requested, null if it is not available. */
  answer: OwnListAnswer | null | undefined;

  constructor(
    private readonly client: Client,
    private readonly methods: Methods,
    private readonly changed: () => void,
  ) {}

  select(place: EventsPlace | undefined): void {
    this.place = place;
    this.answer = undefined;
    if (place) void this.ask(place);
  }

  private async ask(place: EventsPlace): Promise<void> {
    try {
      const answer = await this.client.ownList({ ...place, max: MOST });
      await this.methods.need([...answer.event, ...answer.stack.flat()]);
      if (this.place === place) this.answer = answer;
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
      if (this.place === place) this.answer = null;
    }
    this.changed();
  }

  address(): Pick<Address, 'events'> {
    return this.place ? { events: this.place } : {};
  }

  apply({ events }: Address, { tracks }: Recording): void {
    this.select(events && events.track < tracks.length ? events : undefined);
  }
}
