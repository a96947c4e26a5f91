import { type Differences, type Finding, MOST_UNCERTAIN, shownOf } from './contract';
import { make } from './dom';
import { certainty, kind, signed } from './words';

/** The list of what differs, each a box that can be chosen. */
export class FindingList {
  readonly shown: readonly Finding[];
  private readonly boxes: HTMLElement[] = [];

  constructor(
    data: Differences,
    into: HTMLElement,
    private readonly chosen: (index: number) => void,
  ) {
    this.shown = shownOf(data);
    make('h2', 'Certain', into);
    if (data.findings.length === 0) make('p', 'No certain difference.', into, 'faint');
    data.findings.forEach((finding) => this.add(finding, into));
    make('h2', 'Not certain, it may be chance', into);
    if (data.uncertain.length === 0) make('p', 'Nothing.', into, 'faint');
    else this.folded(data.uncertain.slice(0, MOST_UNCERTAIN), into);
  }

  private folded(some: readonly Finding[], into: HTMLElement): void {
    const more = make('details', '', into);
    make('summary', `${some.length} ${some.length === 1 ? 'difference' : 'differences'}`, more);
    some.forEach((finding) => this.add(finding, more));
  }

  private add(finding: Finding, into: HTMLElement): void {
    const box = make('div', '', into, 'finding');
    const index = this.boxes.push(box) - 1;
    box.tabIndex = 0;
    box.setAttribute('role', 'button');
    make('b', signed(finding.weight), box, kind(finding.weight));
    box.append(`  ${finding.title}  `);
    make('span', `[${finding.threads}]`, box, 'faint');
    for (const part of finding.parts) {
      const line = make('div', '', box);
      make('span', signed(part.weight), line, kind(part.weight));
      line.append(`  ${part.text}${certainty(part)}`);
      const longest = `longest: base ${part.longestInBase ?? 'none'}, new ${part.longestInNew ?? 'none'}`;
      make('div', longest, line, 'faint');
    }
    box.addEventListener('click', () => this.chosen(index));
    box.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      this.chosen(index);
    });
  }

  /** Marks the chosen one. */
  mark(index: number | undefined): void {
    this.boxes.forEach((box, i) => box.setAttribute('aria-current', String(i === index)));
  }

  /** Brings it into sight, also if it is folded away. */
  reveal(index: number): void {
    const box = this.boxes[index];
    const folded = box?.closest('details');
    if (folded) folded.open = true;
    box?.scrollIntoView({ block: 'nearest' });
  }
}
