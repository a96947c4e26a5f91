import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { exact } from '../../base/time';
import { rulerOf } from '../../render/paint';
import type { Model } from '../../state/model';
import { keepSelected } from '../../state/reveal';
import { Menu } from '../menu/menu';
import { listenToMenus } from '../menu/spot';
import { Arrange } from './arrange';
import { BookmarksInRuler, BookmarksOverRows } from './bookmark-flags';
import { Filter } from './filter';
import { Gestures } from './gestures';
import { Labels } from './labels';
import { Legend } from './legend';
import { Loading } from './loading';
import { Minimap } from './minimap';
import { Picture } from './picture';
import { PinnedRows } from './pinned-rows';
import { listenToRanges, RangeInRuler, RangeOverRows } from './range';
import { type Pointed, Tooltip } from './tooltip';

/** The timeline: a canvas each for ruler, calls and pointer, and the elements around them. */
export function Timeline({ model }: { model: Model }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const ruler = useRef<HTMLCanvasElement>(null);
  const [picture, setPicture] = useState<Picture>();
  const [, again] = useState(0);
  const [pointed, setPointed] = useState<Pointed>();

  useEffect(() => {
    const made = new Picture(model, rows.current!, overlay.current!, ruler.current!);
    const frame = () => {
      const scene = made.paint();
      const hit = scene && made.paintPointer(scene);
      const box = rows.current!.getBoundingClientRect();
      const { pointer } = made;
      setPointed(hit && pointer ? { hit, x: box.left + pointer.x, y: box.top + pointer.y } : undefined);
      again((count) => count + 1);
    };
    const measure = () => {
      const before = made.height;
      made.width = rows.current!.parentElement!.clientWidth;
      made.height = scroller.current!.clientHeight;
      if (made.height < before) keepSelected(scroller.current!, model, before);
      model.changed();
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(rows.current!.parentElement!);
    sizes.observe(scroller.current!);
    const scrolled = () => {
      made.scrollTop = scroller.current!.scrollTop;
      model.scrolling.moved(made.scrollTop);
    };
    scroller.current!.addEventListener('scroll', scrolled, { passive: true });
    const stop = model.subscribe(frame);
    const gestures = new Gestures(made, scroller.current!);
    const stopMenus = listenToMenus(made, scroller.current!.closest<HTMLElement>('.timeline')!, scroller.current!);
    const stopRanges = listenToRanges(model, ruler.current!.parentElement!, rows.current!.parentElement!);
    model.scene = () => made.scene();
    setPicture(made);
    return () => {
      stop();
      gestures.stop();
      stopRanges();
      stopMenus();
      sizes.disconnect();
    };
  }, [model]);

  useEffect(() => keepInSight(scroller.current!, model), [model.current]);

  const { layout: shownLayout, current } = model;
  const [scrollTop, height] = [picture?.scrollTop ?? 0, picture?.height ?? 0];
  // Preact skips an identical element, so names are not compared while the window moves.
  const labels = useMemo(
    () => <Labels model={model} rows={shownLayout.rows} scrollTop={scrollTop} height={height} />,
    [shownLayout, scrollTop, height, current],
  );
  const filter = useMemo(() => <Filter model={model} />, [model]);
  const arrange = useMemo(() => <Arrange model={model} />, [model]);
  const loading = useMemo(() => <Loading model={model} />, [model]);
  const legend = useMemo(() => <Legend model={model} />, [model]);
  const scene = picture?.scene();
  const anchor = scene && rulerOf(scene).anchor;
  return (
    <main class="timeline" aria-label="Timeline" data-settled={picture?.settled ?? false}>
      <div class="over-all">
        {arrange}
        <Minimap model={model} width={picture?.width ?? 0} />
      </div>
      <div class="head">
        {filter}
        <div class="ruler" style={{ width: `${picture?.width ?? 0}px` }}>
          <canvas ref={ruler} aria-hidden="true" />
          <RangeInRuler model={model} scene={scene} />
          <BookmarksInRuler model={model} scene={scene} />
          {anchor !== undefined && anchor > 0n && <span class="anchor">{exact(anchor)} +</span>}
        </div>
      </div>
      <PinnedRows model={model} width={picture?.width ?? 0} />
      <div class="scroller" ref={scroller}>
        <div class="all" style={{ height: `${Math.max(model.layout.height, picture?.height ?? 0)}px` }}>
          <div class="stage" style={{ height: `${picture?.height ?? 0}px` }}>
            {labels}
            <div class="axis">
              <canvas class="rows" ref={rows} role="img" aria-label="Calls of the threads over time" />
              <canvas class="overlay" ref={overlay} aria-hidden="true" />
              <BookmarksOverRows model={model} scene={scene} />
              <RangeOverRows model={model} scene={scene} />
            </div>
            {model.recording &&
              model.layout.shown === 0 &&
              (model.filter !== '' || model.recording.tracks.length === 0) && (
                <p class="empty">
                  {model.filter
                    ? 'No thread matches the filter.'
                    : 'Nothing was recorded: no call, no wait, no event. ‘kymo info’ shows the recorder’s notices; --include and --exclude choose what to record.'}
                </p>
              )}
          </div>
        </div>
      </div>
      {legend}
      {loading}
      <Tooltip model={model} pointed={pointed} />
      <Menu model={model} />
    </main>
  );
}

/** Pixels of a row that must be visible; of an unfolded thread, any part may be in sight. */
const SEEN = 28;

/** Scrolls to the keyboard's thread. */
function keepInSight(scroller: HTMLElement, model: Model): void {
  const row = model.current === undefined ? undefined : model.layout.byTrack.get(model.current);
  if (!row) return;
  const { scrollTop, clientHeight } = scroller;
  const above = row.top + row.height < scrollTop + SEEN;
  const below = row.top + SEEN > scrollTop + clientHeight;
  if (above) scroller.scrollTop = row.top;
  else if (below) scroller.scrollTop = row.top + Math.min(row.height, clientHeight) - clientHeight;
}
