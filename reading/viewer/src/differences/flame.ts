import { colour } from './colour';
import type { Differences, Finding } from './contract';
import { button, make } from './dom';
import { short, signed, time } from './words';

const ROW = 19;
/** Narrower calls have no name. */
const NAMED = 24;

export type SideName = 'base' | 'new';

interface Sums {
  total: number;
  self: number;
  calls: number;
}

/** A path of calls. */
interface Node {
  readonly name: string;
  /** -1 = stands for the threads. */
  readonly depth: number;
  readonly parent: Node | undefined;
  readonly children: Node[];
  readonly base: Sums;
  readonly new: Sums;
}

interface Graph {
  readonly name: string;
  readonly root: Node;
  zoom: Node;
  box?: HTMLElement;
}

/** The trees of all kinds of threads, those with the most time first. */
export function graphsOf({ trees, names }: Pick<Differences, 'trees' | 'names'>): Graph[] {
  const most = ({ root }: Graph) => Math.max(root.base.total, root.new.total);
  return trees
    .map(({ name, nodes }) => {
      const none = { total: 0, self: 0, calls: 1 };
      const root: Node = { name, depth: -1, parent: undefined, children: [], base: { ...none }, new: { ...none } };
      const stack: Node[] = [root];
      for (const [depth, index, bc, bt, bs, nc, nt, ns] of nodes) {
        stack.length = depth + 1;
        const parent = stack[depth]!;
        const base = { calls: bc, total: bt, self: bs };
        const fresh = { calls: nc, total: nt, self: ns };
        const node: Node = { name: names[index]!, depth, parent, children: [], base, new: fresh };
        parent.children.push(node);
        stack.push(node);
        if (depth > 0) continue;
        root.base.total += bt;
        root.new.total += nt;
      }
      return { name, root, zoom: root };
    })
    .filter(({ root }) => root.children.length > 0)
    .sort((a, b) => most(b) - most(a));
}

/** How many times as long a path takes, to base 2, without what everything takes longer. */
export function ratioOf({ base, new: fresh }: Pick<Node, 'base' | 'new'>, drift: number): number {
  const before = base.total * drift;
  if (before <= 0 || fresh.total <= 0) return fresh.total > 0 ? 1 : -1;
  return Math.log2(fresh.total / before);
}

/** Flame graphs of each kind of threads, coloured by difference. */
export class DifferenceFlames {
  private readonly graphs: Graph[];
  private readonly tip: HTMLElement;
  private readonly widths: HTMLSelectElement;
  private found: Node | undefined;

  /** `changed` hears of another choice of widths. */
  constructor(
    private readonly data: Differences,
    into: HTMLElement,
    private readonly changed: (side: SideName) => void = () => undefined,
  ) {
    this.graphs = graphsOf(data);
    this.widths = this.bar(make('div', '', into, 'bar'));
    this.tip = make('div', '', into, 'difference-tip');
    this.tip.setAttribute('role', 'tooltip');
    for (const graph of this.graphs) {
      make('h3', graph.name, into);
      graph.box = make('div', '', into, 'flame');
    }
    new ResizeObserver(() => this.draw()).observe(into);
  }

  private bar(bar: HTMLElement): HTMLSelectElement {
    const widths = make('select', '', bar);
    widths.setAttribute('aria-label', 'What the widths show');
    for (const side of ['new', 'base'] as const) make('option', `wide as in ${side}`, widths).value = side;
    widths.addEventListener('change', () => {
      this.changed(this.side);
      this.draw();
    });
    button('Whole', bar, () => this.whole());
    const key = make('span', '', bar, 'key');
    make('span', 'faster', key);
    make('i', '', key).style.background = `linear-gradient(90deg, ${colour(-1)}, ${colour(0)}, ${colour(1)})`;
    make('span', 'slower', key);
    make('span', 'click a call to see it wide', bar, 'faint');
    return widths;
  }

  private get side(): SideName {
    return this.widths.value === 'base' ? 'base' : 'new';
  }

  /** Sets what the widths show. */
  choose(side: SideName): void {
    this.widths.value = side;
    this.draw();
  }

  /** Shows everything, and marks nothing. */
  whole(): void {
    this.found = undefined;
    for (const graph of this.graphs) graph.zoom = graph.root;
    this.draw();
  }

  /** Shows the place of a finding. */
  show({ threads, path }: Finding): void {
    const graph = this.graphs.find(({ name }) => name === threads);
    if (!graph) return;
    let node = graph.root;
    for (const name of path) {
      const child: Node | undefined = node.children.find((one) => one.name === name);
      if (!child) break;
      node = child;
    }
    this.found = node;
    for (const one of this.graphs) one.zoom = one === graph && node.parent ? node.parent : one.root;
    this.draw();
    graph.box?.querySelector('.found')?.scrollIntoView({ block: 'center' });
  }

  private draw(): void {
    this.hide();
    this.graphs.forEach((graph) => this.drawOne(graph));
  }

  private drawOne(graph: Graph): void {
    const box = graph.box!;
    const whole = box.clientWidth;
    box.textContent = '';
    for (let node = graph.zoom.parent; node && node.depth >= 0; node = node.parent) this.put(graph, node, 0, whole);
    let deepest = 0;
    const work: Array<readonly [Node, number, number]> = [[graph.zoom, 0, whole]];
    for (let next = work.pop(); next; next = work.pop()) {
      const [node, from, width] = next;
      if (node.depth >= 0) this.put(graph, node, from, width);
      deepest = Math.max(deepest, node.depth);
      const sum = node.children.reduce((all, child) => all + child[this.side].total, 0);
      const total = Math.max(node[this.side].total, sum);
      let at = from;
      for (const child of node.children) {
        const wide = total > 0 ? (width * child[this.side].total) / total : 0;
        if (wide >= 1) work.push([child, at, wide]);
        at += wide;
      }
    }
    box.style.height = `${(deepest + 1) * ROW}px`;
  }

  private put(graph: Graph, node: Node, from: number, width: number): void {
    const made = button(width > NAMED ? short(node.name) : '', graph.box!, () => {
      graph.zoom = graph.zoom === node ? graph.root : node;
      this.hide();
      this.drawOne(graph);
    });
    made.style.left = `${from}px`;
    made.style.width = `${width}px`;
    made.style.top = `${node.depth * ROW}px`;
    made.style.background = colour(ratioOf(node, this.data.drift.factor));
    made.setAttribute('aria-label', node.name);
    if (node === this.found) made.className = 'found';
    made.addEventListener('mousemove', (event) => this.explain(event, node));
    made.addEventListener('mouseleave', () => this.hide());
  }

  private explain(event: MouseEvent, { name, base, new: fresh }: Node): void {
    const line = (what: string, before: number, after: number, text: (value: number) => string) =>
      `${what}: ${text(before)} → ${text(after)}`;
    const perCall = ({ total, calls }: Sums) => (calls ? total / calls : 0);
    this.tip.textContent = [
      name,
      `${line('total', base.total, fresh.total, time)}  (${signed(fresh.total - base.total)})`,
      line('self', base.self, fresh.self, time),
      line('calls', base.calls, fresh.calls, (count) => count.toLocaleString('en')),
      line('a call', perCall(base), perCall(fresh), time),
    ].join('\n');
    const { style } = this.tip;
    style.display = 'block';
    const { offsetWidth, offsetHeight } = this.tip;
    const below = event.clientY + 16 + offsetHeight <= innerHeight;
    style.left = `${Math.max(0, Math.min(event.clientX + 12, innerWidth - offsetWidth - 8))}px`;
    style.top = `${below ? event.clientY + 16 : event.clientY - offsetHeight - 8}px`;
  }

  private hide(): void {
    this.tip.style.display = 'none';
  }
}
