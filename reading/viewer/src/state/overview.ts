import { LostError, RefusedError } from '../data/client';
import type { OverviewAnswer } from '../data/contract';
import type { Model } from './model';

/** How much happened when, over the whole recording. */
export class Overview {
  answer: OverviewAnswer | undefined;

  constructor(private readonly model: Model) {}

  async load(): Promise<void> {
    try {
      this.answer = await this.model.client.overview();
    } catch (error) {
      // The minimap stays empty; a lost server is told by the picture's own questions.
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
    }
    this.model.changed();
  }
}
