import { exact, moment, type Nanos, wallTime } from '../../base/time';
import { offsetIn } from '../../base/window';
import type { Hit, MarkHit, SliceHit } from '../../render/hit';
import type { Row, TrackRow } from '../../render/layout';
import type { Item, Section } from '../../state/menu';
import type { Model } from '../../state/model';
import { nameOf } from '../parts/thread-name';
import { copyItem } from './copy';

/** What a menu is about: something in the picture, a time, or both. */
export interface Spot {
  readonly hit?: Hit;
  readonly time?: Nanos;
}

/** Longer names are cut. */
const NAME_ROOM = 48;

/** All actions that apply at a spot. */
export function itemsOf(model: Model, { hit, time }: Spot): Section[] {
  const sections = [...(hit ? ofHit(model, hit) : []), ...(time === undefined ? [] : ofTime(model, time))];
  return sections.filter(({ items }) => items.length > 0);
}

function ofHit(model: Model, hit: Hit): Section[] {
  switch (hit.kind) {
    case 'slice':
      return [...ofSlice(model, hit), thread(model, hit.row)];
    case 'mark':
      return [...ofMark(model, hit), thread(model, hit.row)];
    case 'gap':
      return [{ about: 'What was lost here', items: interval(model, hit, hit.row.track.id) }, thread(model, hit.row)];
    case 'counts':
      return [
        {
          about: 'Calls that were counted',
          items: [
            { text: 'Show the tables about this time', act: () => tablesAbout(model, hit) },
            ...interval(model, hit, hit.row.track.id),
          ],
        },
        thread(model, hit.row),
      ];
    case 'counter':
      return [{ about: 'Counter', items: markItems(model, hit.counter.event, 'counter') }, thread(model, hit.row)];
    case 'steps':
      return [
        {
          about: 'What the recorder did',
          items: [
            ...markItems(model, hit.steps[0]!.method, 'method'),
            { text: 'List all steps of the recorder', act: () => model.panel.show('recorder') },
          ],
        },
      ];
    case 'arrow':
      return [
        {
          about: 'Arrow',
          items: [
            {
              text: `To ${short(nameOf(model, hit.arrow.from))}, where it begins`,
              act: () => model.arrows.go(hit.arrow, 'from'),
            },
            {
              text: `To ${short(nameOf(model, hit.arrow.to))}, where it ends`,
              act: () => model.arrows.go(hit.arrow, 'to'),
            },
            { text: 'Hide all arrows', key: 'V', act: () => model.arrows.toggle() },
          ],
        },
      ];
    case 'crowd':
    case 'row':
      return ofRow(model, hit.row);
  }
}

// --- calls and states ---

function ofSlice(model: Model, hit: SliceHit): Section[] {
  const { begin, end, track, depth, method } = hit;
  const known = model.methods.get(method);
  const what = known?.state ? 'state' : 'method';
  const place = { track, depth, time: hit.time };
  if (hit.calls > 1) {
    return [
      {
        about: 'Calls too short to be drawn apart',
        items: [
          { text: 'Zoom in to tell them apart', act: () => model.showInterval(begin, end) },
          ...interval(model, hit, track).slice(1),
        ],
      },
      { about: 'The method that took most of the time', items: markItems(model, method, what) },
    ];
  }
  const { call } = model;
  const selected = call?.track === track && call.depth === depth && call.begin === begin;
  const other = selected && call.other !== undefined && call.other >= 0 ? call.other : undefined;
  return [
    {
      about: 'This call',
      items: [
        { text: 'Zoom to it', key: 'F', act: () => model.showInterval(begin, end) },
        ...(selected
          ? [{ text: 'Unselect it', key: 'Esc', act: () => model.select(undefined) }]
          : [{ text: 'Select it', act: () => model.select(place) }]),
        ...(other === undefined
          ? []
          : [
              { text: `To ${short(nameOf(model, other))}, which ended it`, key: 'O', act: () => model.arrows.follow() },
            ]),
        ...interval(model, hit, track).slice(1),
      ],
    },
    {
      about: 'Its method',
      items: [
        ...markItems(model, method, what),
        { text: 'Next call of it', key: '.', act: () => another(model, hit, 'next') },
        { text: 'Previous call of it', key: ',', act: () => another(model, hit, 'previous') },
        { text: 'Longest call of it', key: 'L', act: () => another(model, hit, 'longest') },
        ...(known ? [copyItem('Copy the name', known.full)] : []),
      ],
    },
  ];
}

function another(
  model: Model,
  { method, track, depth, begin }: SliceHit,
  direction: 'next' | 'previous' | 'longest',
): void {
  void model.search.callOf(method, direction, { track, depth, time: begin });
}

/** Marking and unmarking a method, and the durations of its calls. */
function markItems(model: Model, method: number, what: 'method' | 'state' | 'event' | 'counter'): Item[] {
  const marked = model.selection.method === method;
  const mark: Item = marked
    ? { text: `Unmark this ${what}`, act: () => model.selection.mark(undefined) }
    : { text: `Mark this ${what} everywhere`, act: () => model.selection.mark(method) };
  const durations = () => {
    model.selection.mark(method);
    model.panel.show('durations');
  };
  return what === 'method' ? [mark, { text: 'How long its calls took', act: durations }] : [mark];
}

/** Actions for a time interval. */
function interval(model: Model, { begin, end }: { begin: Nanos; end: Nanos }, track: number): Item[] {
  const last = end > begin ? end : begin + 1n;
  return [
    { text: 'Zoom to it', act: () => model.showInterval(begin, end) },
    { text: 'Select its time', key: 'M', act: () => model.selection.selectRange(begin, last) },
    { text: 'Export its time …', act: () => exportTime(model, begin, last) },
    { text: 'Bookmark it', key: 'B', act: () => model.bookmarks.add({ from: begin, to: end, track }) },
    copyItem('Copy its times', `${moment(begin)} – ${moment(end)} (${exact(end - begin)})`),
  ];
}

function exportTime(model: Model, from: Nanos, to: Nanos): void {
  model.selection.selectRange(from, to);
  model.exporting.choose('selected');
  model.exporting.open();
}

function tablesAbout(model: Model, { begin, end }: { begin: Nanos; end: Nanos }): void {
  model.selection.selectRange(begin, end > begin ? end : begin + 1n);
  model.panel.show('summary');
}

function ofMark(model: Model, hit: MarkHit): Section[] {
  const { begin, end, row } = hit;
  const [most] = hit.kinds;
  const name = most && model.methods.get(most.event)?.full;
  return [
    {
      about: hit.count > 1 ? 'These events' : 'This event',
      items: [
        ...(end > begin ? [{ text: 'Zoom to them', act: () => model.showInterval(begin, end) }] : []),
        {
          text: hit.count > 1 ? 'List them' : 'Show its details',
          act: () => model.selectEvents({ track: row.track.id, from: begin, to: end }),
        },
        ...interval(model, hit, row.track.id).slice(1),
      ],
    },
    {
      about: 'Events of this kind',
      items: [
        ...(most ? markItems(model, most.event, 'event') : []),
        ...(name ? [copyItem('Copy the name', name)] : []),
      ],
    },
  ];
}

// --- rows ---

function ofRow(model: Model, row: Row): Section[] {
  const { order } = model;
  switch (row.kind) {
    case 'track':
      return [thread(model, row)];
    case 'process': {
      const { process, command } = row.process;
      return [
        {
          about: 'Process',
          items: [
            { text: row.closed ? 'Unfold the process' : 'Fold the process', act: () => order.toggleProcess(process) },
            ...onlyProcess(model, process),
            copyItem('Copy the command', command),
          ],
        },
      ];
    }
    case 'group': {
      const toggle = () =>
        row.of === 'idle' ? order.toggleIdle(row.process.process) : order.toggleGroup(row.process.process);
      return [{ about: 'Group', items: [{ text: row.closed ? 'Unfold them' : 'Fold them', act: toggle }] }];
    }
    case 'crowd': {
      const { key, tracks } = row.crowd;
      return [
        {
          about: 'Threads',
          items: [
            {
              text: row.closed ? 'Unfold them, one row each' : 'Fold them into one row',
              act: () => order.toggleCrowd(key),
            },
            { text: 'Select all of them', act: () => model.selection.selectTracks(tracks) },
            { text: 'Hide all of them', act: () => order.hide(...tracks) },
          ],
        },
      ];
    }
    case 'steps':
      return [
        {
          about: 'Recorder',
          items: [{ text: 'List all steps of the recorder', act: () => model.panel.show('recorder') }],
        },
      ];
  }
}

function onlyProcess(model: Model, process: number): Item[] {
  const others = model.recording!.processes.map((each) => each.process).filter((each) => each !== process);
  if (others.every((each) => model.order.folded.has(each))) return [];
  return [{ text: 'Fold all other processes', act: () => model.order.foldOthers(process, others) }];
}

/** Actions for a thread. */
function thread(model: Model, row: TrackRow): Section {
  const { order, selection } = model;
  const { track } = row;
  const { id } = track;
  const begin = track.begin;
  const unfolds = track.depth > 0 || row.statesBand !== undefined || row.counters.length > 0;
  const alone = order.hidden.size > 0 && model.layout.shown <= 1;
  return {
    about: 'Thread',
    items: [
      ...(unfolds
        ? [{ text: row.open ? 'Fold the thread' : 'Unfold the thread', key: 'Enter', act: () => model.toggle(id) }]
        : []),
      {
        text: selection.tracks.has(id) ? 'Unselect the thread' : 'Select the thread',
        key: 'Space',
        act: () => selection.toggleTrack(id),
      },
      ...(track.end > begin ? [{ text: 'Zoom to its lifetime', act: () => model.showInterval(begin, track.end) }] : []),
      {
        text: order.pinned.includes(id) ? 'Unpin the thread' : 'Pin the thread to the top',
        key: 'I',
        act: () => order.togglePin(id),
      },
      { text: 'Hide the thread', key: 'H', act: () => order.hide(id) },
      ...(alone ? [] : [{ text: 'Hide all other threads', act: () => hideOthers(model, id) }]),
      ...(order.hidden.size > 0 ? [{ text: 'Show all hidden threads', act: () => order.showHidden() }] : []),
      ...onlyProcess(model, track.process),
      ...(track.name ? [copyItem('Copy the name of the thread', track.name)] : []),
    ],
  };
}

function hideOthers(model: Model, track: number): void {
  const others = model.recording!.tracks.filter((each) => each.of < 0 && each.id !== track).map((each) => each.id);
  model.order.hide(...others);
}

// --- time ---

function ofTime(model: Model, time: Nanos): Section[] {
  const { selection, recording } = model;
  const { range } = selection;
  const at = offsetIn(model.window, time) / model.window.span;
  const inSight = at >= 0 && at <= 1;
  const [from, to] = [range?.from ?? 0n, range?.to ?? model.duration];
  const here: Item[] = [
    ...(inSight ? [] : [{ text: 'Look here', act: () => model.goTo(time) }]),
    { text: 'Bookmark this moment', act: () => model.bookmarks.add({ from: time, to: time }) },
    ...(time < to ? [{ text: 'Select the time from here on', act: () => selection.selectRange(time, to) }] : []),
    ...(time > from ? [{ text: 'Select the time until here', act: () => selection.selectRange(from, time) }] : []),
    copyItem('Copy this time', `${moment(time)} ${recording ? wallTime(recording.wallBegin, time) : ''}`.trim()),
    copyItem('Copy a link to this view', () => model.link()),
  ];
  const selected: Item[] = range
    ? [
        {
          text: 'Zoom to the selected time',
          act: () => model.glide(() => ({ start: range.from, part: 0, span: Number(range.to - range.from) })),
        },
        { text: 'Tables about the selected time', act: () => model.panel.show(model.panel.tab) },
        { text: 'Export the selected time …', act: () => exportTime(model, range.from, range.to) },
        { text: 'Unselect the time', act: () => selection.clearRange() },
      ]
    : [];
  const whole: Item[] =
    model.window.span < Number(model.duration)
      ? [{ text: 'Whole recording', key: '0', act: () => model.showWhole() }]
      : [];
  return [
    { about: `At ${moment(time)}`, items: here },
    { about: 'Selected time', items: [...selected, ...whole] },
  ];
}

function short(name: string): string {
  return name.length > NAME_ROOM ? name.slice(0, NAME_ROOM - 1) + '…' : name;
}
