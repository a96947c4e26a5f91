import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { grouped } from '../../base/time';
import type { CountedAnswer, Scope, TreeAnswer } from '../../data/contract';
import type { Tree } from '../../data/tree';
import { Flame, type Box } from '../../render/flame';
import { BOX_HEIGHT, paintFlame } from '../../render/flame-paint';
import { PALETTES } from '../../render/palette';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import type { Asked } from '../parts/scope';
import { useModel } from '../parts/use';
import { useTree } from './call-tree';
import { CountedNote } from './counted';
import { CountedStrip, useCounted } from './counted-strip';
import { FlameSearch, useLit } from './flame-search';
import { described, FlameTip } from './flame-tip';
import { CallsOrSamples, SampleKinds, UnknownNote, useSamples } from './flame-samples';
import { Status } from './status';

/** Narrower boxes could not be seen. */
const LEAST_PIXELS = 0.4;

/** The call tree as nested boxes: of calls, as wide as the time they took, or of samples. */
export function FlameGraph({ model, scope }: { model: Model; scope: Scope }) {
  const sampled = useModel(model, (m) => m.samples.on);
  return sampled ? <SampleGraph model={model} scope={scope} /> : <CallGraph model={model} scope={scope} />;
}

function CallGraph({ model, scope }: { model: Model; scope: Scope }) {
  const inverted = useModel(model, (m) => m.panel.inverted);
  const { asked, tree } = useTree(model, scope, inverted);
  const counted = useCounted(model, scope);
  return (
    <Graph model={model} asked={asked} tree={tree} counted={counted} empty="No call in this selection.">
      <CountedNote model={model} scope={scope} missing="caller unknown" />
    </Graph>
  );
}

function SampleGraph({ model, scope }: { model: Model; scope: Scope }) {
  const { asked, tree } = useSamples(model, scope);
  return (
    <Graph
      model={model}
      asked={asked}
      tree={tree}
      counted={undefined}
      empty="No sample in this selection."
      above={<SampleKinds model={model} answer={asked.answer} />}
    >
      <UnknownNote answer={asked.answer} />
    </Graph>
  );
}

/** A tree as boxes, with what can be done with them. */
function Graph(props: {
  readonly model: Model;
  readonly asked: Asked<TreeAnswer>;
  readonly tree: Tree;
  readonly counted: CountedAnswer | undefined;
  /** What is said if there are no boxes. */
  readonly empty: string;
  readonly above?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { model, asked, tree, counted } = props;
  const inverted = tree.up;
  const [typed, setTyped] = useState('');
  const found = useLit(model, tree, counted, typed);
  const theme = useModel(model, (m) => m.theme);
  // Hits of the global search and marked methods are highlighted here, too.
  const highlighted = useModel(model, (m) => m.highlighted);
  const lit = typed === '' ? highlighted : found;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [scrollTop, setScrollTop] = useState(0);
  const [zoomed, setZoomed] = useState<number>();
  const [current, setCurrent] = useState<number>();
  const [pointer, setPointer] = useState<{ box: Box; x: number; y: number }>();
  useEffect(() => {
    setZoomed(undefined);
    setCurrent(undefined);
    setPointer(undefined);
  }, [tree]);
  useEffect(() => {
    const element = box.current!;
    const sizes = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  // The node belongs to the old tree while another one replaces it.
  const within = zoomed !== undefined && zoomed < tree.size ? zoomed : undefined;
  const flame = useMemo(
    () => new Flame(tree, within, LEAST_PIXELS / Math.max(1, size.width)),
    [tree, within, size.width],
  );
  useEffect(() => {
    const scene = { flame, methods: model.methods, palette: PALETTES[theme], ...size, scrollTop, current, lit };
    if (size.width > 0) paintFlame(canvas.current!, scene);
  });

  const go = (node: number | undefined) => {
    if (node === undefined || node < 0) return;
    setCurrent(node);
    const top = tree.depth[node]! * BOX_HEIGHT;
    const { scrollTop: seen, clientHeight } = box.current!;
    if (top < seen || top + BOX_HEIGHT > seen + clientHeight) box.current!.scrollTop = top - clientHeight / 2;
  };
  const back = () => {
    if (within === undefined) return;
    const above = tree.parent(within);
    setZoomed(above < 0 ? undefined : above);
  };
  const keyed = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const here = current ?? flame.rows[0]?.[0]?.node;
    if (here === undefined) return;
    const actions: Record<string, () => void> = {
      ArrowUp: () => go(current === undefined ? here : tree.parent(here)),
      ArrowDown: () => go(current === undefined ? here : tree.below(here)[0]),
      ArrowLeft: () => go(flame.beside(here, -1)?.node),
      ArrowRight: () => go(flame.beside(here, 1)?.node),
      Enter: () => setZoomed(here),
      ' ': () => model.selection.mark(tree.answer.method[here]!),
      '/': () => document.querySelector<HTMLInputElement>('.flame-find')?.select(),
      i: () => model.panel.setInverted(!inverted),
      ...(within === undefined ? {} : { Escape: back }),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  const boxAt = (event: MouseEvent) => {
    const place = canvas.current!.getBoundingClientRect();
    const depth = Math.floor((event.clientY - place.top + scrollTop) / BOX_HEIGHT);
    return flame.at((event.clientX - place.left) / size.width, depth);
  };
  const label = current === undefined ? 'Flame graph' : described(model, tree, current);
  return (
    <section class="table">
      {props.above}
      <div class="tools">
        <CallsOrSamples model={model} />
        <button class="tool" disabled={within === undefined} title="Zoom out one level (Esc)" onClick={back}>
          <Icon name="minus" />
          Zoom out
        </button>
        <button class="tool" disabled={within === undefined} title="Show all" onClick={() => setZoomed(undefined)}>
          <Icon name="whole" />
          All
        </button>
        <label class="choice" title="From the methods to their callers, as wide as their self time (I)">
          <input
            type="checkbox"
            aria-label="Inverted: from the methods to their callers"
            checked={inverted}
            onChange={(event) => model.panel.setInverted(event.currentTarget.checked)}
          />
          inverted
        </label>
        <FlameSearch tree={tree} counted={counted} within={within} typed={typed} lit={found} onType={setTyped} />
        {props.children}
        <Status asked={asked}>
          {tree.answer.cut > 0 && (
            <small title="The smallest boxes; their time is in the boxes above them.">
              {grouped(tree.answer.cut)} smallest left out
            </small>
          )}
        </Status>
        <span class="flame-said" role="status">
          {current === undefined ? (
            <small>Click: zoom into it. Ctrl + click: mark the method everywhere.</small>
          ) : (
            described(model, tree, current)
          )}
        </span>
      </div>
      {counted && <CountedStrip model={model} answer={counted} whole={tree.whole} lit={lit} />}
      <div
        class="flame"
        ref={box}
        tabIndex={0}
        role="application"
        aria-label={label}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        onKeyDown={keyed}
        onPointerMove={(event) => {
          const found = boxAt(event);
          setPointer(found && { box: found, x: event.clientX, y: event.clientY });
        }}
        onPointerLeave={() => setPointer(undefined)}
        onClick={(event) => {
          const node = boxAt(event)?.node;
          if (node === undefined) return;
          setCurrent(node);
          if (event.ctrlKey || event.metaKey) model.selection.mark(tree.answer.method[node]!);
          else setZoomed(node);
        }}
      >
        <div class="flame-all" style={{ height: `${flame.rows.length * BOX_HEIGHT}px` }}>
          <canvas ref={canvas} aria-hidden="true" style={{ width: `${size.width}px`, height: `${size.height}px` }} />
        </div>
        {asked.answer && tree.size === 0 && (
          <p class="grid-empty">{counted ? 'No call in this selection was recorded one by one.' : props.empty}</p>
        )}
      </div>
      {pointer && pointer.box.node < tree.size && <FlameTip model={model} tree={tree} {...pointer} />}
    </section>
  );
}
