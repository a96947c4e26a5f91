import type { Address } from '../base/address';
import type { Recording } from '../data/contract';
import { type Arrangement, isSort, type Sort } from '../render/arrange';

/** Which threads are on top, which are hidden, and the order of the others. */
export class Order implements Arrangement {
  pinned: readonly number[] = [];
  hidden: ReadonlySet<number> = new Set();
  /** Processes whose threads are folded away. */
  folded: ReadonlySet<number> = new Set();
  /** Processes whose virtual machine's tracks are folded away. */
  foldedGroups: ReadonlySet<number> = new Set();
  /** Processes whose threads without a recorded call are folded away. */
  foldedIdle: ReadonlySet<number> = new Set();
  /** Crowds of threads that are folded into one row. */
  foldedCrowds: ReadonlySet<number> = new Set();
  sort: Sort = 'recorded';

  constructor(private readonly changed: () => void) {}

  sortBy(sort: Sort): void {
    this.sort = sort;
    this.changed();
  }

  togglePin(track: number): void {
    const without = this.pinned.filter((other) => other !== track);
    this.pinned = without.length < this.pinned.length ? without : [...this.pinned, track];
    this.changed();
  }

  hide(...tracks: readonly number[]): void {
    this.hidden = new Set([...this.hidden, ...tracks]);
    this.pinned = this.pinned.filter((pinned) => !this.hidden.has(pinned));
    this.changed();
  }

  showHidden(): void {
    this.hidden = new Set();
    this.changed();
  }

  toggleProcess(process: number): void {
    this.folded = toggled(this.folded, process);
    this.changed();
  }

  /** Folds all processes but one. */
  foldOthers(process: number, others: readonly number[]): void {
    this.folded = new Set(others.filter((other) => other !== process));
    this.changed();
  }

  toggleGroup(process: number): void {
    this.foldedGroups = toggled(this.foldedGroups, process);
    this.changed();
  }

  toggleIdle(process: number): void {
    this.foldedIdle = toggled(this.foldedIdle, process);
    this.changed();
  }

  toggleCrowd(key: number): void {
    this.foldedCrowds = toggled(this.foldedCrowds, key);
    this.changed();
  }

  /** Shows a thread again that is hidden or in a folded process or crowd. */
  unhide(track: number, process: number, crowd: number | undefined): void {
    this.foldedCrowds = new Set([...this.foldedCrowds].filter((other) => other !== crowd));
    this.hidden = new Set([...this.hidden].filter((other) => other !== track));
    this.folded = new Set([...this.folded].filter((other) => other !== process));
    this.foldedGroups = new Set([...this.foldedGroups].filter((other) => other !== process));
    this.foldedIdle = new Set([...this.foldedIdle].filter((other) => other !== process));
    this.changed();
  }

  address(): Pick<Address, 'pinned' | 'hidden' | 'folded' | 'foldedGroups' | 'foldedIdle' | 'foldedCrowds' | 'sort'> {
    return {
      ...(this.pinned.length > 0 ? { pinned: this.pinned } : {}),
      ...(this.hidden.size > 0 ? { hidden: [...this.hidden] } : {}),
      ...(this.folded.size > 0 ? { folded: [...this.folded] } : {}),
      ...(this.foldedGroups.size > 0 ? { foldedGroups: [...this.foldedGroups] } : {}),
      ...(this.foldedIdle.size > 0 ? { foldedIdle: [...this.foldedIdle] } : {}),
      ...(this.foldedCrowds.size > 0 ? { foldedCrowds: [...this.foldedCrowds] } : {}),
      ...(this.sort === 'recorded' ? {} : { sort: this.sort }),
    };
  }

  /** Applies an address, as far as it fits this recording. */
  apply(address: Address, recording: Recording): void {
    const known = (track: number) => (recording.tracks[track]?.of ?? 0) < 0;
    this.pinned = [...new Set(address.pinned?.filter(known))];
    this.hidden = new Set(address.hidden?.filter(known));
    this.folded = new Set(address.folded);
    this.foldedGroups = new Set(address.foldedGroups);
    this.foldedIdle = new Set(address.foldedIdle);
    this.foldedCrowds = new Set(address.foldedCrowds);
    this.sort = isSort(address.sort) ? address.sort : 'recorded';
  }
}

function toggled(set: ReadonlySet<number>, member: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}
