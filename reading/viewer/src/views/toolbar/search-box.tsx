import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { grouped } from '../../base/time';
import { hitsIn } from '../../data/hit-list';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import type { Search } from '../../state/search';
import { useModel } from '../parts/use';

/** The search field, with the number of hits and buttons to step through them. */
export function SearchBox({ model }: { model: Model }) {
  const { search } = model;
  const shown = useModel(model, (m) => m.search.shown);
  const pattern = useModel(model, (m) => m.search.pattern);
  const says = useModel(model, (m) => found(m.search));
  const message = useModel(model, (m) => m.search.message);
  const hit = useModel(model, (m) => m.search.hits.key);
  const list = useModel(model, (m) => m.panel.open && m.panel.tab === 'hits');
  useEffect(() => void search.hits.locate(), [hit]);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (shown && (search.takesFocus || document.activeElement === document.body)) input.current?.focus();
    search.takesFocus = false;
  }, [shown]);
  // Steps by key report what they could not find even without a search.
  if (!shown)
    return message ? (
      <p class="search-message" role="status">
        {message}
      </p>
    ) : null;
  const none = !search.answer || hitsIn(search.answer) === 0;
  return (
    <div class="search-box" role="search">
      <Icon name="search" />
      <input
        id="search"
        ref={input}
        type="text"
        placeholder="Methods and events: a regular expression"
        aria-label="Search methods and events by a regular expression"
        autocomplete="off"
        spellcheck={false}
        value={pattern}
        onInput={(event) => search.look(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') search.close();
          if (event.key === 'Enter') void search.step(event.shiftKey ? 'previous' : 'next');
        }}
      />
      <output class={message ? 'warn' : ''} aria-live="polite">
        {message || says}
      </output>
      <button
        class="plain"
        disabled={none}
        title="Previous call found (Shift N)"
        aria-label="Previous call found"
        onClick={() => void search.step('previous')}
      >
        <Icon name="previous" />
      </button>
      <button
        class="plain"
        disabled={none}
        title="Next call found (N)"
        aria-label="Next call found"
        onClick={() => void search.step('next')}
      >
        <Icon name="next" />
      </button>
      <button
        class="plain word"
        disabled={none}
        title="The longest call found"
        onClick={() => void search.step('longest')}
      >
        longest
      </button>
      <button
        class="plain"
        disabled={none}
        aria-pressed={list}
        title="List of all calls found"
        aria-label="List of all calls found"
        onClick={() => (list ? model.panel.toggle() : model.panel.show('hits'))}
      >
        <Icon name="list" />
      </button>
      <button class="plain" title="Close (Esc)" aria-label="Close the search" onClick={() => search.close()}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** The number of the selected hit, and of all hits. */
function found({ answer, busy, progress, hits }: Search): string {
  if (busy) return progress === undefined ? 'searching …' : `searching … ${Math.floor(progress * 100)} %`;
  if (!answer) return '';
  if (answer.matching === 0) return 'no method matches';
  const at = hits.at === undefined ? '' : `${grouped(hits.at + 1)} of `;
  if (answer.events > 0) {
    const names = `${grouped(answer.matching)} ${answer.matching === 1 ? 'name' : 'names'}`;
    const both = at === '' ? '' : `${at}${grouped(hitsIn(answer))}: `;
    const calls =
      answer.calls === 0 ? at : `${both}${grouped(answer.calls)} ${answer.calls === 1 ? 'call' : 'calls'} and `;
    return `${calls}${grouped(answer.events)} ${answer.events === 1 ? 'event' : 'events'} of ${names}`;
  }
  const methods = `${grouped(answer.matching)} ${answer.matching === 1 ? 'method' : 'methods'}`;
  return `${at}${grouped(answer.calls)} ${answer.calls === 1 ? 'call' : 'calls'} of ${methods}`;
}
