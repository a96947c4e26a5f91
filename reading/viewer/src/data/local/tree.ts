import type { TreeAnswer } from '../contract';
import { Heap } from './heap';
import { lossy, type LocalSelection, ofCalls } from './selection';
import type { TrackCalls } from './track';
import type { LocalRecording } from './unpack';

/** Maximum number of nodes, as on the server. */
const MAX_NODES = 20_000;

/** A method called by the same path of callers; or, bottom-up, on the way to such a method. */
interface Node {
  readonly method: number;
  calls: number;
  total: number;
  self: number;
  children(): Iterable<Node>;
}

/** Who called whom in a selection; `up`: from the methods to their callers. */
export function tree(data: LocalRecording, selection: LocalSelection, up: boolean): TreeAnswer {
  const root = paths(ofCalls(data, selection));
  const roots = up ? callerRoots(root) : root.children();
  return { atLeast: lossy(data, selection), ...answer(roots) };
}

class PathNode implements Node {
  calls = 0;
  total = 0;
  self = 0;
  private readonly byMethod = new Map<number, PathNode>();

  constructor(
    readonly method: number,
    readonly caller: PathNode | undefined,
  ) {}

  children(): Iterable<PathNode> {
    return this.byMethod.values();
  }

  child(method: number): PathNode {
    let child = this.byMethod.get(method);
    if (!child) {
      child = new PathNode(method, this);
      this.byMethod.set(method, child);
    }
    return child;
  }
}

function paths({ from, to, tracks }: LocalSelection): PathNode {
  const root = new PathNode(-1, undefined);
  for (const track of tracks) addTrack(root, track, from, to);
  return root;
}

/** Backwards, callers come before their callees: the last call seen one depth further out is the caller. */
function addTrack(root: PathNode, track: TrackCalls, from: number, to: number): void {
  const latest: PathNode[] = [root];
  for (let call = track.count - 1; call >= 0; call--) {
    if (!track.overlaps(call, from, to)) continue;
    const depth = track.depth[call]!;
    const caller = latest[depth] ?? root;
    const node = caller.child(track.method[call]!);
    const inside = Math.min(track.end[call]!, to) - Math.max(track.begin[call]!, from);
    node.calls++;
    node.total += inside;
    node.self += inside;
    caller.self -= inside;
    latest[depth + 1] = node;
  }
}

/** The self time of one method below the same callers. */
class CallerNode implements Node {
  calls = 0;
  self = 0;
  private readonly members: Array<readonly [spent: PathNode, place: PathNode]> = [];

  constructor(readonly method: number) {}

  get total(): number {
    return this.self;
  }

  add(spent: PathNode, place: PathNode): void {
    this.members.push([spent, place]);
    this.calls += spent.calls;
    this.self += spent.self;
  }

  children(): Iterable<CallerNode> {
    const groups = new Map<number, CallerNode>();
    for (const [spent, { caller }] of this.members) {
      if (caller?.caller) group(groups, spent, caller);
    }
    return groups.values();
  }
}

function group(groups: Map<number, CallerNode>, spent: PathNode, place: PathNode): void {
  let node = groups.get(place.method);
  if (!node) {
    node = new CallerNode(place.method);
    groups.set(place.method, node);
  }
  node.add(spent, place);
}

function callerRoots(root: PathNode): Iterable<CallerNode> {
  const groups = new Map<number, CallerNode>();
  const work = [...root.children()];
  for (let node = work.pop(); node; node = work.pop()) {
    group(groups, node, node);
    work.push(...node.children());
  }
  return groups.values();
}

interface Taken {
  readonly node: Node;
  readonly parent: number;
  /** Indices of its chosen children, the costliest first. */
  readonly below: number[];
}

function costliestFirst(a: Taken, b: Taken): number {
  return b.node.total - a.node.total || b.node.calls - a.node.calls || a.node.method - b.node.method;
}

/** Chooses the costliest nodes that there is room for, each after its parent, and puts them in preorder. */
function answer(roots: Iterable<Node>): Omit<TreeAnswer, 'atLeast'> {
  const next = new Heap<Taken>(costliestFirst);
  const top: number[] = [];
  const taken: Taken[] = [];
  for (const node of roots) next.push({ node, parent: -1, below: [] });
  while (next.size > 0 && taken.length < MAX_NODES) {
    const best = next.pop();
    (best.parent < 0 ? top : taken[best.parent]!.below).push(taken.length);
    for (const node of best.node.children()) next.push({ node, parent: taken.length, below: [] });
    taken.push(best);
  }
  return { cut: next.size, ...preorder(taken, top) };
}

function preorder(taken: readonly Taken[], top: readonly number[]): Omit<TreeAnswer, 'atLeast' | 'cut'> {
  const rows: Taken[] = [];
  const parent: number[] = [];
  const places = new Int32Array(taken.length);
  const work = top.toReversed();
  for (let i = work.pop(); i !== undefined; i = work.pop()) {
    const row = taken[i]!;
    places[i] = rows.length;
    parent.push(row.parent < 0 ? -1 : places[row.parent]!);
    rows.push(row);
    for (let k = row.below.length - 1; k >= 0; k--) work.push(row.below[k]!);
  }
  return {
    parent,
    method: rows.map(({ node }) => node.method),
    calls: rows.map(({ node }) => node.calls),
    total: rows.map(({ node }) => node.total),
    self: rows.map(({ node }) => node.self),
  };
}
