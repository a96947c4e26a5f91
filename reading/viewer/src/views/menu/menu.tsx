import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';
import type { Item, OpenMenu } from '../../state/menu';

/** Pixels between a menu and the edge of the page. */
const EDGE = 4;

/** The menu of actions for what was pressed on. */
export function Menu({ model }: { model: Model }) {
  const shown = useModel(model, (m) => m.menu.shown);
  return shown ? <Shown key={`${shown.x} ${shown.y}`} model={model} shown={shown} /> : null;
}

function Shown({ model, shown }: { model: Model; shown: OpenMenu }) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = list.current!;
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(EDGE, Math.min(shown.x, innerWidth - width - EDGE))}px`;
    const below = shown.y + height <= innerHeight - EDGE;
    element.style.top = `${below ? shown.y : Math.max(EDGE, Math.min(shown.y - height, innerHeight - height - EDGE))}px`;
    items(element)[0]?.focus();
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const away = (event: Event) => {
      if (!list.current?.contains(event.target as Node)) model.menu.close();
    };
    addEventListener('pointerdown', away, { signal, capture: true });
    addEventListener('wheel', away, { signal, capture: true });
    addEventListener('resize', () => model.menu.close(), { signal });
    return () => stop.abort();
  }, []);
  const choose = (item: Item) => {
    model.menu.close();
    item.act();
  };
  return (
    <div
      ref={list}
      class="context-menu"
      popover="manual"
      role="menu"
      aria-label="What can be done here"
      onKeyDown={(event) => pressed(model, list.current!, event)}
      onContextMenu={(event) => event.preventDefault()}
    >
      {shown.sections.map((section, i) => (
        <div key={i} role="group" aria-label={section.about}>
          {section.items.map((item) => (
            <button
              key={item.text}
              role="menuitem"
              tabIndex={-1}
              onClick={() => choose(item)}
              onPointerMove={(event) => event.currentTarget.focus()}
            >
              <span>{item.text}</span>
              {item.key && <kbd aria-hidden="true">{item.key}</kbd>}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

function items(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role=menuitem]')];
}

function pressed(model: Model, list: HTMLElement, event: KeyboardEvent): void {
  const all = items(list);
  const at = all.indexOf(document.activeElement as HTMLElement);
  const go = (to: number) => all[(to + all.length) % all.length]?.focus();
  event.stopPropagation();
  if (event.key === 'ArrowDown') go(at + 1);
  else if (event.key === 'ArrowUp') go(at < 0 ? -1 : at - 1);
  else if (event.key === 'Home') go(0);
  else if (event.key === 'End') go(-1);
  else if (event.key === 'Escape' || event.key === 'Tab') model.menu.close();
  else if (event.key.length === 1 && event.key !== ' ') goToLetter(all, at, event.key);
  else return;
  event.preventDefault();
}

/** To the next item that begins with a letter. */
function goToLetter(all: readonly HTMLElement[], at: number, letter: string): void {
  const begins = (element: HTMLElement) => element.textContent.toLowerCase().startsWith(letter.toLowerCase());
  [...all.slice(at + 1), ...all.slice(0, at + 1)].find(begins)?.focus();
}
