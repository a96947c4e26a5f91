import { harmless } from '../base/harmless';
import { type Differences, type Role, stepped } from './contract';
import { button, make } from './dom';
import { DifferenceFlames } from './flame';
import { FindingList } from './list';
import { kind, signed, time } from './words';
import './differences.css';
import './page.css';

/** A smaller drift, as a logarithm, is not worth a line. */
const DRIFT = 0.03;

/** The page that `kymo diff -o` writes: everything about differences, without a server. */
function show(data: Differences, page: HTMLElement): void {
  recordings(data, page);
  if (Math.abs(Math.log(data.drift.factor)) > DRIFT) make('p', driftOf(data), page);
  threads(data, page);
  gate(data, page);
  let current: number | undefined;
  const list = new FindingList(data, page, go);
  if (data.counted.length > 0) {
    const more = make('details', '', page);
    const count = `${data.counted.length} methods were only counted in some of the recordings, or left out`;
    make('summary', `${count}: their time is in that of their callers`, more);
    make('p', data.counted.join(', '), more, 'faint');
  }
  make('h2', 'Flame graphs', page);
  const bar = make('div', '', page, 'bar');
  button('Previous difference (p)', bar, () => step(-1));
  button('Next difference (n)', bar, () => step(1));
  const flames = new DifferenceFlames(data, page);

  function go(index: number): void {
    current = index;
    list.mark(index);
    flames.show(list.shown[index]!);
  }
  function step(by: 1 | -1): void {
    const next = stepped(current, by, data.findings.length, list.shown.length);
    if (next !== undefined) go(next);
  }
  addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey) return;
    if (key === 'n') step(1);
    else if (key === 'p') step(-1);
    else if (key === 'Escape') flames.whole();
  });
}

function driftOf({ drift }: Differences): string {
  const factor = drift.factor.toFixed(2);
  return `Everything takes ${factor} times as long, by the middle one of ${drift.methods} methods; that is taken out of the differences and colours below.`;
}

function recordings(data: Differences, page: HTMLElement): void {
  const row = table(['side', 'time', 'events', 'recording'], page);
  for (const side of ['base', 'new'] as const)
    for (const { duration, events, recording } of data[side])
      row([side, time(duration), events.toLocaleString('en'), recording]);
}

function threads(data: Differences, page: HTMLElement): void {
  const row = table(['difference', 'base', 'new', 'threads', 'calls of threads'], page);
  const most = (role: Role) => Math.max(role.base, role.new);
  for (const role of [...data.threads].sort((a, b) => most(b) - most(a))) {
    const { threadsInBase: before, threadsInNew: after } = role;
    const cells = row([
      signed(role.new - role.base),
      time(role.base),
      time(role.new),
      before === after ? String(after) : `${before} → ${after}`,
      role.name + noteOf(role),
    ]);
    cells[0]!.className = kind(role.new - role.base);
  }
}

function noteOf({ inBase, inNew, lossy }: Role): string {
  const lost = lossy ? '; events were lost' : '';
  if (inBase === null) return ': only in new' + lost;
  if (inNew === null) return ': only in base' + lost;
  return (inBase === inNew ? '' : `: in base called ${inBase}`) + lost;
}

function gate({ gate: rules }: Differences, page: HTMLElement): void {
  for (const { rule, holds, broken } of rules ?? []) {
    make('p', `Gate ${rule}: ${holds ? 'holds' : 'is broken'}`, page, holds ? '' : 'more');
    for (const text of broken) make('p', text, page, 'inside');
  }
}

/** A table with a head; returns what adds a row. */
function table(head: readonly string[], page: HTMLElement): (cells: readonly string[]) => HTMLElement[] {
  const made = make('table', '', page);
  const top = make('tr', '', made);
  for (const text of head) make('th', text, top);
  return (cells) => {
    const line = make('tr', '', made);
    return cells.map((text) => make('td', text, line));
  };
}

const text = document.getElementById('differences')!.textContent!;
show(JSON.parse(harmless(text)) as Differences, document.getElementById('page')!);
