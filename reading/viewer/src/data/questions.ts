import type { Client, Waiting } from './client';
import type { Scope } from './contract';
import type { Methods } from './methods';

/** Answers kept, so that going back to a tab shows it at once. */
const KEPT = 12;

export function scopeKey({ from, to, tracks, kind }: Scope): string {
  return `${from ?? ''}-${to ?? ''} ${tracks?.join() ?? kind ?? 'all'}`;
}

/** Asks questions that take time; an answer comes with the names of all methods in it. */
export class Questions {
  private readonly kept = new Map<string, unknown>();

  constructor(
    readonly client: Client,
    private readonly methods: Methods,
  ) {}

  /** The answer, if it is here already. */
  known<T>(key: string): T | undefined {
    return this.kept.get(key) as T | undefined;
  }

  async ask<T extends { method?: readonly number[] }>(
    key: string,
    question: (client: Client, waiting: Waiting) => Promise<T>,
    waiting: Waiting,
  ): Promise<T> {
    const answer = await question(this.client, waiting);
    if (answer.method) await this.methods.need(answer.method);
    this.kept.delete(key);
    this.kept.set(key, answer);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    return answer;
  }

  clear(): void {
    this.kept.clear();
  }
}
