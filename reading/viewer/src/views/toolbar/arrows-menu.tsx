import { css } from '../../base/colours';
import { arrowColour, arrowName, arrowSays, KERNEL_ARROWS, stateColour, stateSays } from '../../base/states';
import { SCHEDULER_STATES } from '../../base/words';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

/** Which arrows are shown; and what the colours of waiting mean. */
export function ArrowsMenu({ model }: { model: Model }) {
  const possible = useModel(model, (m) => m.arrows.possible);
  const on = useModel(model, (m) => m.arrows.on);
  const kinds = useModel(model, (m) => m.arrows.kinds);
  const list = useModel(model, (m) => m.arrows.list);
  const theme = useModel(model, (m) => m.theme);
  if (!possible) return null;
  const tooMany = useModel(model, (m) => m.arrows.tooMany);
  const drawn =
    on && tooMany
      ? '; only those of the call under the pointer and of the selected one are drawn: zoom in to see all'
      : '';
  const said = !on
    ? 'Not shown'
    : model.arrows.more
      ? `The ${list.length} longest of the window`
      : `${list.length} in the window`;
  return (
    <>
      <button
        class={'plain tables-button' + (on ? ' pressed' : '')}
        title="Arrows between threads, and the colours of waiting (V: on or off)"
        popovertarget="arrows-menu"
      >
        <Icon name="arrows" />
        Arrows
      </button>
      <div id="arrows-menu" class="arrows-menu" popover="auto" role="group" aria-label="Arrows">
        <label>
          <input type="checkbox" checked={on} onChange={() => model.arrows.toggle()} />
          <b>Arrows</b>{' '}
          {model.arrows.offered.join() === 'message'
            ? 'between threads'
            : 'from the thread that let another one continue'}
        </label>
        {model.arrows.offered.map((kind) => (
          <label key={kind}>
            <input type="checkbox" checked={on && kinds.has(kind)} onChange={() => model.arrows.toggleKind(kind)} />
            <i class="swatch" style={{ background: css(arrowColour(kind, theme)) }} />
            {arrowName(kind)} <small>{arrowSays(kind)}</small>
          </label>
        ))}
        {model.arrows.offered.includes(KERNEL_ARROWS[0]) && (
          <p class="legend">
            {SCHEDULER_STATES.map((kind) => (
              <span key={kind} title={stateSays(kind)}>
                <i class="swatch" style={{ background: css(stateColour(kind, theme)) }} />
                {kind}
              </span>
            ))}
          </p>
        )}
        <small role="status">{said + drawn}</small>
      </div>
    </>
  );
}
