import { type Client, LostError, RefusedError } from '../data/client';
import type { OverviewAnswer } from '../data/contract';

/** The activity over the whole recording. */
export class Overview {
  answer: OverviewAnswer | undefined;

  constructor(
    private readonly client: Client,
    private readonly changed: () => void,
  ) {}

  async load(): Promise<void> {
    try {
      this.answer = await this.client.overview();
    } catch (error) {
      // The minimap stays empty; the picture's own requests report a lost server.
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
    }
    this.changed();
  }
}
