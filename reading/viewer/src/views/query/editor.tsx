import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { completions } from '../../data/complete';
import type { QueryHelp } from '../../data/contract';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

/** The editor of a question, with a menu of ready ones and suggestions for the word at the caret. */
export function Editor({ model, help }: { model: Model; help: QueryHelp | undefined }) {
  const text = useModel(model, (m) => m.queries.text);
  const area = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLPreElement>(null);
  const [suggested, setSuggested] = useState<{ word: string; found: readonly string[]; at: number }>();
  const caret = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    area.current!.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);
  const suggest = () => {
    const { value, selectionStart } = area.current!;
    const found = help && completions(help, value, selectionStart);
    setSuggested(found && found.found.length > 0 ? { ...found, at: 0 } : undefined);
  };
  const take = (name: string) => {
    const { value, selectionStart } = area.current!;
    const from = selectionStart - suggested!.word.length;
    caret.current = from + name.length;
    setSuggested(undefined);
    model.queries.write(value.slice(0, from) + name + value.slice(selectionStart));
    area.current!.focus();
  };
  const run = () => {
    setSuggested(undefined);
    model.queries.ask(area.current!.value);
  };
  const keyed = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    event.stopPropagation();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    } else if (suggested && event.key === 'Tab' && !event.shiftKey) {
      event.preventDefault();
      take(suggested.found[suggested.at]!);
    } else if (suggested && (event.key === 'ArrowDown' || event.key === 'ArrowUp') && event.altKey) {
      event.preventDefault();
      const { length } = suggested.found;
      setSuggested({ ...suggested, at: (suggested.at + (event.key === 'ArrowDown' ? 1 : length - 1)) % length });
    } else if (event.key === 'Escape') {
      if (suggested) setSuggested(undefined);
      else event.currentTarget.blur();
    }
  };
  const lines = text.split('\n').length;
  return (
    <div class="query-editor">
      <div class="tools">
        <select
          aria-label="Ready questions"
          value=""
          onChange={(event) => {
            const question = help?.questions.find((each) => each.name === event.currentTarget.value);
            event.currentTarget.value = '';
            area.current!.scrollTo(0, 0);
            if (question) model.queries.ask(`-- ${question.description}\n${question.sql}`);
          }}
        >
          <option value="">{help ? 'Ready questions' : 'Opening …'}</option>
          {help?.questions.map(({ name, description }) => (
            <option key={name} value={name}>
              {name}: {description}
            </option>
          ))}
        </select>
        <span class="space" />
        <button class="tool primary" title="Run (Ctrl + Enter)" disabled={text.trim() === ''} onClick={run}>
          Run
        </button>
      </div>
      <div class="query-text">
        <pre ref={numbers} aria-hidden="true">
          {Array.from({ length: lines }, (_, i) => i + 1).join('\n')}
        </pre>
        <textarea
          ref={area}
          aria-label="Question in SQL"
          spellcheck={false}
          autocomplete="off"
          wrap="off"
          placeholder="SELECT name, count(*) FROM calls JOIN methods USING (recording, method) GROUP BY ALL"
          value={text}
          onInput={(event) => {
            model.queries.write(event.currentTarget.value);
            suggest();
          }}
          onScroll={() => (numbers.current!.scrollTop = area.current!.scrollTop)}
          onClick={() => setSuggested(undefined)}
          onKeyDown={keyed}
        />
      </div>
      <div
        class="query-suggestions"
        {...(suggested
          ? ({ role: 'listbox', 'aria-label': 'Suggestions: Tab takes the marked one, Alt + ↓ the next' } as const)
          : {})}
      >
        {suggested?.found.map((name, i) => (
          <button
            key={name}
            role="option"
            aria-selected={i === suggested.at}
            tabIndex={-1}
            onPointerDown={(event) => {
              event.preventDefault();
              take(name);
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}
