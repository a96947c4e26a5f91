import { LostError, RefusedError } from '../data/client';
import type { Step } from '../render/steps';
import type { Model } from './model';

/** What the recorder did to keep its budget. */
export class Steps {
  list: readonly Step[] = [];
  /** Later ones that are not here. */
  cut = 0;
  /** Processes in which there were any. */
  processes: ReadonlySet<number> = new Set();

  constructor(private readonly model: Model) {}

  async load(): Promise<void> {
    const { model } = this;
    try {
      const answer = await model.client.steps();
      await model.methods.need(answer.method);
      this.cut = answer.cut;
      this.list = answer.time.map((time, i) => ({
        time: BigInt(time),
        process: answer.process[i]!,
        method: answer.method[i]!,
        mode: answer.mode[i]!,
        before: answer.before[i]!,
        reason: answer.reason[i]!,
      }));
      this.processes = new Set(answer.process);
      model.relayout();
    } catch (error) {
      // Without them everything else still works; a lost server is told by the picture's own questions.
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
    }
  }
}
