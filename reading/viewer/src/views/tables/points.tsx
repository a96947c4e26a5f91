import { useEffect, useMemo, useState } from 'preact/hooks';
import { exact, grouped } from '../../base/time';
import type { Scope } from '../../data/contract';
import type { PointList } from '../../data/point-list';
import { matcher } from '../../data/table';
import type { Model } from '../../state/model';
import { Icon } from '../parts/icons';
import { useModel } from '../parts/use';
import { type Column, Grid } from './grid';
import { Status } from './status';
import { Tools, useCopy } from './tools';

/** Rows around the visible ones that are fetched with them. */
const EARLY = 60;

/** Where executed instructions are irregular: a click leads there. */
export function Points({ model, scope }: { model: Model; scope: Scope }) {
  const { points } = model;
  const list = useModel(model, (m) => m.points.list);
  const at = useModel(model, (m) => m.points.at);
  const busy = useModel(model, (m) => m.points.busy);
  const failed = useModel(model, (m) => m.points.failed);
  const progress = useModel(model, (m) => m.points.progress);
  const [filter, setFilter] = useState('');
  useEffect(() => points.about(scope), [scope]);
  const columns = useMemo(() => columnsOf(model, list), [list]);
  const matches = useMemo(() => matcher(filter), [filter]);
  const here = useMemo(() => list?.rows() ?? [], [list]);
  const rows = useMemo(() => {
    if (!list) return [];
    if (filter && matches) return here.filter((row) => matches(textOf(list, row)));
    return Array.from({ length: list.total }, (_, row) => row);
  }, [list, matches]);
  const copied = filter ? rows : here;
  const [said, copy] = useCopy(columns, copied);
  return (
    <section class="table">
      <Kinds model={model} />
      <Tools
        columns={columns}
        rows={copied}
        all={here.length}
        filter={filter}
        wrong={!matches}
        onFilter={setFilter}
        file={`${model.recording?.name ?? 'recording'}-points`}
        said={said}
        onCopy={copy}
      >
        <Status asked={{ answer: undefined, busy, failed, progress }}>
          {list && here.length < list.total && (
            <small title="Scrolling fetches more; filter, copy and download use the rows fetched so far.">
              fetched so far, of {grouped(list.total)}
            </small>
          )}
        </Status>
      </Tools>
      <Grid
        label="Irregular points"
        columns={columns}
        rows={rows}
        current={at}
        onCurrent={(row, how) => how === 'key' && void points.show(row)}
        onAction={(action, row) => {
          if (action === 'copy') copy();
          if (action === 'act' && row !== undefined) void points.show(row);
        }}
        onRange={(first, last) => list && !filter && void points.need(first - EARLY, last + EARLY)}
        empty={
          busy || !list ? '' : filter ? 'Nothing fetched so far matches the filter.' : 'No point in this selection.'
        }
      />
    </section>
  );
}

/** Which kinds are listed, in which functions interrupts count, and the way to the next point. */
function Kinds({ model }: { model: Model }) {
  const { points } = model;
  const chosen = useModel(model, (m) => m.points.kinds);
  const kinds = useModel(model, (m) => m.points.list?.kinds);
  const offered =
    kinds?.word.map((_, kind) => kind).filter((kind) => kinds.count[kind]! > 0 || chosen?.has(kind)) ?? [];
  return (
    <div class="event-kinds" role="group" aria-label="Kinds of points">
      <button aria-pressed={chosen === undefined} title="Points of all kinds" onClick={() => points.showAll()}>
        All
      </button>
      {offered.map((kind) => (
        <button
          key={kind}
          aria-pressed={chosen?.has(kind) ?? false}
          title={leftOut(kinds!.unlisted[kind]!)}
          onClick={() => points.toggle(kind)}
        >
          {kinds!.word[kind]} {grouped(kinds!.count[kind]!)}
        </button>
      ))}
      <span class="space" />
      <label>
        Critical:{' '}
        <input
          type="text"
          placeholder="functions"
          title="Names of functions, with blanks between them: interrupts in them are points, too"
          aria-label="Critical functions"
          autocomplete="off"
          spellcheck={false}
          defaultValue={points.critical}
          onChange={(event) => points.setCritical(event.currentTarget.value.trim())}
        />
      </label>
      <Step model={model} by={-1} icon="previous" says="Previous point" keys="Shift J" />
      <Step model={model} by={1} icon="next" says="Next point" keys="J" />
    </div>
  );
}

function Step(props: { model: Model; by: 1 | -1; icon: 'previous' | 'next'; says: string; keys: string }) {
  const { model, by, icon, says, keys } = props;
  return (
    <button title={`${says} (${keys})`} aria-label={says} onClick={() => void model.points.step(by)}>
      <Icon name={icon} />
    </button>
  );
}

function leftOut(unlisted: number): string {
  return unlisted > 0
    ? `${grouped(unlisted)} more in the recording are not listed`
    : 'List only this kind, or no longer';
}

function textOf(list: PointList, row: number): string {
  const point = list.at(row);
  return point ? [list.kinds.word[point.kind], point.module, point.function, point.text].join(' ') : '';
}

function columnsOf(model: Model, list: PointList | undefined): Column[] {
  const words = (id: string, title: string, width: string, of: (row: number) => string | undefined): Column => {
    const text = (row: number) => of(row) ?? '…';
    return { id, title, head: title.toLowerCase(), width, value: text, text };
  };
  return [
    { ...words('number', 'No.', '76px', (row) => grouped(row + 1)), number: true, value: (row) => row + 1 },
    {
      id: 'time',
      title: 'Time',
      head: 'time (ns)',
      number: true,
      width: '148px',
      value: (row) => list?.at(row)?.time ?? 0n,
      text: (row) => (list?.at(row) ? exact(list.at(row)!.time) : '…'),
    },
    words('thread', 'Thread', 'minmax(90px, 0.4fr)', (row) => {
      const point = list?.at(row);
      return point && (model.recording?.tracks[point.track]?.name ?? '');
    }),
    words('kind', 'Kind', 'minmax(176px, 0.5fr)', (row) => {
      const point = list?.at(row);
      return point && list!.kinds.word[point.kind];
    }),
    words('text', 'What', 'minmax(160px, 1.2fr)', (row) => list?.at(row)?.text),
    words('function', 'Function', 'minmax(120px, 0.8fr)', (row) => list?.at(row)?.function),
    words('module', 'File', 'minmax(80px, 0.4fr)', (row) => list?.at(row)?.module),
    words('address', 'Address', '150px', (row) => list?.at(row)?.address),
  ];
}
