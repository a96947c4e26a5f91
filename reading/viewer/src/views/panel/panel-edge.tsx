import type { Model } from '../../state/model';
import { MIN_HEIGHT } from '../../state/panel';
import { useModel } from '../parts/use';

const STEP = 32;

/** The panel's upper edge, moved by dragging or by keys. */
export function PanelEdge({ model }: { model: Model }) {
  const height = useModel(model, (m) => m.panel.height);
  const { panel } = model;
  const drag = (event: PointerEvent) => {
    const edge = event.currentTarget as HTMLElement;
    const start = height + event.clientY;
    edge.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => panel.resize(start - moved.clientY);
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
  };
  return (
    <div
      class="panel-edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the tables"
      aria-valuenow={height}
      aria-valuemin={MIN_HEIGHT}
      aria-valuemax={panel.maxHeight}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={(event) => {
        const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        panel.resize(panel.height + by);
      }}
    />
  );
}
