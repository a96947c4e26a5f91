import { useMemo } from 'preact/hooks';
import { briefCount, grouped } from '../../base/time';
import type { CountedAnswer } from '../../data/contract';
import { matchedIn } from '../../data/matches';
import { matcher } from '../../data/table';
import type { Tree } from '../../data/tree';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { fullName, percent } from './cells';

/** Methods of a graph whose names match the typed text; undefined if it is empty or not a valid expression yet. */
export function useLit(
  model: Model,
  tree: Tree,
  counted: CountedAnswer | undefined,
  typed: string,
): ReadonlySet<number> | undefined {
  return useMemo(() => {
    const matches = typed === '' ? undefined : matcher(typed);
    if (!matches) return undefined;
    return new Set(
      [...tree.answer.method, ...(counted?.method ?? [])].filter((method) => matches(fullName(model, method))),
    );
  }, [tree, counted, typed]);
}

/** The search field of a graph, with the share of the graph that matches. */
export function FlameSearch(props: {
  readonly tree: Tree;
  readonly counted: CountedAnswer | undefined;
  readonly within: number | undefined;
  readonly typed: string;
  readonly lit: ReadonlySet<number> | undefined;
  readonly onType: (text: string) => void;
}) {
  const { typed, lit, tree, within, counted } = props;
  const wrong = typed !== '' && !lit;
  return (
    <>
      <label class={'table-filter' + (wrong ? ' wrong' : '')}>
        <Icon name="search" />
        <input
          type="search"
          class="flame-find"
          placeholder="Find: text or /regular expression/"
          aria-label="Find methods in the graph: text, or a regular expression between slashes"
          aria-invalid={wrong}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => props.onType(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' && event.key !== 'Enter') return;
            if (event.key === 'Escape') props.onType('');
            document.querySelector<HTMLElement>('.flame')?.focus();
            event.stopPropagation();
          }}
        />
      </label>
      {typed !== '' && (
        <small class="flame-matched" role="status">
          {lit ? matched(tree, lit, within, counted) : 'not a regular expression'}
        </small>
      )}
    </>
  );
}

function matched(
  tree: Tree,
  lit: ReadonlySet<number>,
  within: number | undefined,
  counted: CountedAnswer | undefined,
): string {
  const { boxes, methods, amount } = matchedIn(tree, lit, within);
  const whole = within === undefined ? tree.whole : tree.answer.total[within]!;
  const calls = counted?.method.reduce((sum, method, i) => sum + (lit.has(method) ? counted.counted[i]! : 0), 0) ?? 0;
  const also = calls > 0 ? `${briefCount(calls)} counted calls` : '';
  if (boxes === 0) return also || 'nothing matches';
  const many = (count: number, one: string, several: string) => `${grouped(count)} ${count === 1 ? one : several}`;
  // Matches among the omitted boxes are not known.
  const share = `${tree.answer.cut > 0 ? '≥ ' : ''}${percent(amount, whole)}: ${tree.measure.brief(amount)} in ${many(boxes, 'box', 'boxes')} of ${many(methods, 'method', 'methods')}`;
  return also ? `${share}, and ${also}` : share;
}
