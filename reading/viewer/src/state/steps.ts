import { type Client, LostError, RefusedError } from '../data/client';
import type { Methods } from '../data/methods';
import type { Step } from '../render/scene';

/** What the recorder did to keep its budget. */
export class Steps {
  list: readonly Step[] = [];
  /** Number of later steps that are not here. */
  cut = 0;
  /** Processes with steps. */
  processes: ReadonlySet<number> = new Set();

  constructor(
    private readonly client: Client,
    private readonly methods: Methods,
    private readonly relayout: () => void,
  ) {}

  async load(): Promise<void> {
    try {
      const answer = await this.client.steps();
      await this.methods.need(answer.method);
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
      this.relayout();
    } catch (error) {
      // Everything else works without them; the picture's own requests report a lost server.
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
    }
  }
}
