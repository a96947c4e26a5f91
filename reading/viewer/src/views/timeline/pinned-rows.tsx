import { useEffect, useRef } from 'preact/hooks';
import { css } from '../../base/colours';
import { hashColour } from '../../base/hues';
import { brief, grouped, moment } from '../../base/time';
import { offsetIn, timeAt, windowEnd } from '../../base/window';
import { PALETTES } from '../../render/palette';
import type { Model } from '../../state/model';
import type { Pinned } from '../../state/queries';
import { Icon } from '../parts/icons';
import { useModel } from '../parts/use';

const HEIGHT = 22;
/** Even a moment is visible. */
const LEAST = 2;
/** A label needs as much room. */
const LABEL = 26;

/** Answers to questions in SQL that stay above the threads, a row each. */
export function PinnedRows({ model, width }: { model: Model; width: number }) {
  const pinned = useModel(model, (m) => m.queries.pinned);
  return (
    <>
      {pinned.map((each) => (
        <PinnedRow key={each.name} model={model} pinned={each} width={width} />
      ))}
    </>
  );
}

function PinnedRow({ model, pinned, width }: { model: Model; pinned: Pinned; width: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const window = useModel(model, (m) => m.window);
  const theme = useModel(model, (m) => m.theme);
  useEffect(() => paint(canvas.current!, model, pinned, width), [window, theme, pinned, width]);
  const at = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const time = timeAt(model.window, (event.clientX - box.left) / box.width);
    const near = BigInt(Math.ceil((model.window.span / box.width) * 3));
    return pinned.places.findLast(({ begin, end }) => begin - near <= time && end + near >= time);
  };
  return (
    <div class="pinned-row">
      <div class="pinned-name" title={`${pinned.name}\n${grouped(pinned.places.length)} rows`}>
        <button
          class="plain"
          title="Remove this row"
          aria-label={`Remove ${pinned.name}`}
          onClick={() => model.queries.unpin(pinned.name)}
        >
          <Icon name="close" />
        </button>
        <span>{pinned.name}</span>
      </div>
      <canvas
        ref={canvas}
        style={{ width: `${width}px`, height: `${HEIGHT}px` }}
        role="img"
        aria-label={`${grouped(pinned.places.length)} rows of ${pinned.name} over time`}
        onPointerMove={(event) => {
          const place = at(event);
          canvas.current!.title = place
            ? `${place.label}\n${moment(place.begin)}, ${brief(place.end - place.begin)}`
            : '';
        }}
        onClick={(event) => {
          const place = at(event);
          if (place) model.queries.goTo(place);
        }}
      />
    </div>
  );
}

function paint(canvas: HTMLCanvasElement, model: Model, { places }: Pinned, width: number): void {
  const { window, theme } = model;
  const scale = devicePixelRatio;
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = HEIGHT * scale;
  const pen = canvas.getContext('2d')!;
  pen.scale(scale, scale);
  pen.fillStyle = PALETTES[theme].alive;
  pen.fillRect(0, 0, width, HEIGHT);
  pen.font = '11px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  const end = windowEnd(window);
  for (const place of places) {
    if (place.end < window.start || place.begin > end) continue;
    const left = Math.max(-1, (offsetIn(window, place.begin) / window.span) * width);
    const right = Math.min(width + 1, (offsetIn(window, place.end) / window.span) * width);
    const wide = Math.max(LEAST, right - left);
    pen.fillStyle = css(hashColour(place.label, '', theme));
    pen.fillRect(left, 3, wide, HEIGHT - 6);
    if (wide >= LABEL && place.label !== '') write(pen, place.label, left, wide, PALETTES[theme].onCall);
  }
}

function write(pen: CanvasRenderingContext2D, label: string, left: number, wide: number, ink: string): void {
  pen.save();
  pen.beginPath();
  pen.rect(left, 0, wide - 2, HEIGHT);
  pen.clip();
  pen.fillStyle = ink;
  pen.fillText(label, Math.max(0, left) + 4, HEIGHT / 2);
  pen.restore();
}
