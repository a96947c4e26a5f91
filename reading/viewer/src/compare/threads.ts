/** Partners of tracks, by track; -1 = none. */
interface Partners {
  readonly base: readonly number[];
  readonly new: readonly number[];
}

/** Which threads of two recordings stand for each other, so that one scroll moves both. */
export class ThreadPartners {
  private known: Partners | undefined;
  private asked = '';

  /** The track of recording `new` for one of `base`, or the other way round; undefined if there is none. */
  async of(track: number, base: number, fresh: number, toNew: boolean): Promise<number | undefined> {
    const question = `api/partners?base=${base}&new=${fresh}`;
    const side = toNew ? 'base' : 'new';
    // A growing recording may have more threads than it had.
    if (question !== this.asked || track >= (this.known?.[side].length ?? 0)) {
      const answer = await fetch(question, { cache: 'no-store' });
      if (!answer.ok) return undefined;
      this.known = (await answer.json()) as Partners;
      this.asked = question;
    }
    const partner = this.known?.[side][track] ?? -1;
    return partner < 0 ? undefined : partner;
  }
}
