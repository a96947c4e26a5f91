import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { parseTime } from '../../base/goto';
import { KEYS } from '../../base/keys';
import { ranked } from '../../base/ranked';
import { type ArrowKind, arrowName } from '../../base/states';
import { moment, wallTime, withinPart } from '../../base/time';
import { act } from '../keyboard';
import { tables } from './palette-tables';
import { useMethodsNamed } from './methods-named';
import type { Model } from '../../state/model';
import { numberOf } from '../parts/thread-name';
import { useModel } from '../parts/use';

interface Item {
  readonly kind: string;
  readonly text: string;
  readonly note: string;
  readonly act: () => void;
}

const MOST = 12;

/** All commands, and threads and methods by name, for readers who prefer to type. */
export function PaletteDialog({ model }: { model: Model }) {
  const mode = useModel(model, (m) => m.palette.mode);
  return mode ? <OpenPalette key={mode} model={model} /> : null;
}

function OpenPalette({ model }: { model: Model }) {
  const { palette } = model;
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const timeOnly = palette.mode === 'time';
  const methods = useMethodsNamed(model, timeOnly ? '' : text);
  const items = [
    ...times(model, text),
    ...(timeOnly ? [] : [...commands(model, text), ...arrows(model, text), ...threads(model, text), ...methods]),
  ];
  const chosen = Math.min(at, items.length - 1);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => document.getElementById(`choice-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen]);
  const choose = (item: Item | undefined) => {
    if (!item) return;
    palette.close();
    // The choice may open another dialog or take the focus, so this one must return the focus first.
    requestAnimationFrame(() => requestAnimationFrame(item.act));
  };
  const key = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) setAt(Math.min(items.length - 1, Math.max(0, chosen + by)));
    else if (event.key === 'Enter') choose(items[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      class="palette"
      ref={dialog}
      aria-label={timeOnly ? 'Go to a time' : 'Commands'}
      onClose={() => palette.close()}
      onClick={(event) => event.target === dialog.current && palette.close()}
    >
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={items.length > 0 ? `choice-${chosen}` : undefined}
        aria-label={timeOnly ? 'A time' : 'A command, thread, method or time'}
        placeholder={timeOnly ? '1.5s, 600ms, 12.345678901, 14:03:27.5' : 'A command, thread, method or time'}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onKeyDown={key}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
      />
      <ul id="choices" role="listbox" aria-label="What can be chosen">
        {items.map((item, i) => (
          <li
            id={`choice-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => choose(item)}
            onPointerMove={() => setAt(i)}
          >
            <small>{item.kind}</small>
            <span>{item.text}</span>
            <em>{item.note}</em>
          </li>
        ))}
      </ul>
      {items.length === 0 && text !== '' && (
        <p class="nothing">{timeOnly ? 'Not a time within the recording.' : 'Nothing has this name.'}</p>
      )}
    </dialog>
  );
}

function times(model: Model, text: string): Item[] {
  const { recording, duration } = model;
  const time = recording && parseTime(text, recording.wallBegin, withinPart);
  if (time === undefined || time < 0n || time > duration) return [];
  const note = wallTime(recording!.wallBegin, time);
  return [{ kind: 'time', text: `Go to ${moment(time)}`, note, act: () => model.goTo(time) }];
}

function commands(model: Model, text: string): Item[] {
  const others = KEYS.filter((key) => key.action !== 'palette');
  const keys = others.map((key) => ({
    kind: 'command',
    text: key.says,
    note: key.shown.join('  '),
    act: () => act(model, key.action),
  }));
  const all = [...keys, ...tables(model)];
  return text === '' ? all : ranked(all, (item) => item.text, text, MOST);
}

function arrows(model: Model, text: string): Item[] {
  if (text === '' || !model.arrows.possible) return [];
  const says = (kind: ArrowKind) =>
    `Arrows: ${model.arrows.kinds.has(kind) ? 'hide' : 'show'} those of ${arrowName(kind)}`;
  return ranked(model.arrows.offered, says, text, MOST).map((kind) => ({
    kind: 'command',
    text: says(kind),
    note: '',
    act: () => model.arrows.toggleKind(kind),
  }));
}

function threads(model: Model, text: string): Item[] {
  if (text === '') return [];
  const tracks = model.recording?.tracks.filter((track) => track.of < 0) ?? [];
  return ranked(tracks, (track) => `${track.name} ${track.tid || ''}`, text, MOST).map((track) => ({
    kind: 'thread',
    text: track.name || 'thread ' + track.thread,
    note: track.virtual ? 'virtual' : numberOf(track),
    act: () => {
      model.showTrack(track.id);
      model.current = track.id;
      model.changed();
    },
  }));
}
