import { useEffect, useMemo, useState } from 'preact/hooks';
import { exact, grouped } from '../../base/time';
import { EVENT_DEPTH } from '../../data/client';
import { type Hit, type HitList, hitsIn } from '../../data/hit-list';
import { matcher } from '../../data/table';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';
import { exactNs, fullName, methodColumn, ns } from './cells';
import { type Column, Grid } from './grid';
import { Status } from './status';
import { Tools, useCopy } from './tools';
import { useHits } from './use-hits';

/** Rows before the list's end at which the next page is fetched. */
const EARLY = 60;

/** The calls and events that a search has found, one after the other. */
export function Hits({ model }: { model: Model }) {
  const answer = useModel(model, (m) => m.search.answer);
  const busy = useModel(model, (m) => m.search.busy);
  const at = useModel(model, (m) => m.search.hits.at);
  const theme = useModel(model, (m) => m.theme);
  const [filter, setFilter] = useState('');
  const total = answer ? hitsIn(answer) : 0;
  const hits = useHits(model, total);
  const { list } = hits;
  useEffect(() => hits.load(at ?? 0), [answer]);
  useEffect(() => {
    if (at !== undefined && list && !list.has(at)) hits.load(at);
  }, [at]);
  const columns = useMemo(() => columnsOf(model, list), [list, theme]);
  const matches = useMemo(() => matcher(filter), [filter]);
  const rows = useMemo(() => {
    const all = list?.rows() ?? [];
    return filter && matches ? all.filter((row) => matches(fullName(model, list!.at(row)!.method))) : all;
  }, [list, matches]);
  const [said, copy] = useCopy(columns, rows);
  const show = (row: number) => {
    const hit = list?.at(row);
    if (hit) model.search.hits.show(row, hit);
  };
  const all = list?.rows().length ?? 0;
  return (
    <section class="table">
      <Tools
        columns={columns}
        rows={rows}
        all={all}
        filter={filter}
        wrong={!matches}
        onFilter={setFilter}
        file={`${model.recording?.name ?? 'recording'}-hits`}
        said={said}
        onCopy={copy}
      >
        <Status asked={{ answer: undefined, busy: busy || hits.busy, failed: hits.failed, progress: undefined }}>
          {all < total ? (
            <small title="Scrolling fetches more; filter, copy and download use the rows fetched so far.">
              fetched so far, of {grouped(total)} in the whole recording
            </small>
          ) : (
            <small>in the whole recording</small>
          )}
        </Status>
      </Tools>
      <Grid
        label="Hits"
        columns={columns}
        rows={rows}
        current={at !== undefined && list?.has(at) ? at : undefined}
        onCurrent={(row, how) => how === 'key' && show(row)}
        onAction={(action, row) => {
          if (action === 'copy') copy();
          if (action === 'act' && row !== undefined) show(row);
        }}
        prepended={filter ? 0 : -(list?.first ?? 0)}
        onRange={(first, last) => {
          if (first < EARLY) hits.extend(true);
          if (last > rows.length - EARLY) hits.extend(false);
        }}
        empty={nothing(model.search.pattern, busy || hits.busy, filter)}
      />
    </section>
  );
}

function nothing(pattern: string, busy: boolean, filter: string): string {
  if (busy) return '';
  if (pattern === '') return 'No search is active (Ctrl F).';
  return filter ? 'Nothing fetched so far matches the filter.' : 'Nothing was found.';
}

function columnsOf(model: Model, list: HitList | undefined): Column[] {
  const hit = (row: number): Hit => list!.at(row)!;
  const thread = (row: number) => model.recording?.tracks[hit(row).track]?.name ?? '';
  const event = (row: number) => hit(row).depth === EVENT_DEPTH;
  return [
    {
      id: 'number',
      title: 'No.',
      head: 'number',
      number: true,
      width: '76px',
      value: (row) => row + 1,
      text: (row) => grouped(row + 1),
    },
    {
      id: 'begin',
      title: 'Begin',
      head: 'begin (ns)',
      number: true,
      width: '168px',
      value: (row) => hit(row).begin,
      text: (row) => exact(hit(row).begin),
    },
    { id: 'thread', title: 'Thread', head: 'thread', width: 'minmax(90px, 0.5fr)', value: thread, text: thread },
    { ...methodColumn(model, (row) => hit(row).method), title: 'Method or event' },
    {
      id: 'duration',
      title: 'Duration',
      head: 'duration (ns)',
      number: true,
      width: '84px',
      value: (row) => (event(row) ? '' : hit(row).duration),
      text: (row) => (event(row) ? 'event' : ns(hit(row).duration)),
      exact: (row) => (event(row) ? 'An event of the program’s own' : exactNs(hit(row).duration)),
    },
  ];
}
