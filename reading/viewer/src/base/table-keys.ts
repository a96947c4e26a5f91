/** What keys do while a table has the focus; the handler and the help page share this list, as in keys.ts. */
export type TableAction =
  | 'rowUp'
  | 'rowDown'
  | 'rowsUp'
  | 'rowsDown'
  | 'first'
  | 'last'
  | 'act'
  | 'actMore'
  | 'unfold'
  | 'fold'
  | 'hotPath'
  | 'copy';

interface TableKey {
  /** Values of `KeyboardEvent.key`, each with what it does. */
  readonly keys: Readonly<Record<string, TableAction>>;
  readonly shift?: boolean;
  readonly ctrl?: boolean;
  readonly shown: readonly string[];
  readonly says: string;
}

export const TABLE_KEYS: readonly TableKey[] = [
  { keys: { ArrowUp: 'rowUp', ArrowDown: 'rowDown' }, shown: ['↑', '↓'], says: 'Row above, below' },
  { keys: { PageUp: 'rowsUp', PageDown: 'rowsDown' }, shown: ['Page ↑', 'Page ↓'], says: 'A page up, down' },
  { keys: { Home: 'first', End: 'last' }, shown: ['Home', 'End'], says: 'First, last row' },
  { keys: { Enter: 'act' }, shown: ['Enter'], says: 'Mark the method; go to the call; filter by the category' },
  { keys: { Enter: 'actMore' }, shift: true, shown: ['Shift', 'Enter'], says: 'Go to the method’s longest call' },
  { keys: { ArrowRight: 'unfold', ArrowLeft: 'fold' }, shown: ['→', '←'], says: 'Unfold; fold, go to the caller' },
  { keys: { h: 'hotPath' }, shown: ['H'], says: 'Unfold the hot path' },
  { keys: { c: 'copy' }, ctrl: true, shown: ['Ctrl', 'C'], says: 'Copy the table' },
];

/** Keys of the flame graph. */
export const FLAME_KEYS: ReadonlyArray<readonly [shown: readonly string[], says: string]> = [
  [['↑', '↓', '←', '→'], 'Caller, costliest callee, neighbours'],
  [['Enter'], 'Zoom into it'],
  [['Esc'], 'Zoom out again'],
  [['Space'], 'Mark its method'],
  [['/'], 'Find methods in it'],
  [['I'], 'From the inside out, or from the outside in'],
];

interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

export function tableActionOf(event: Pressed): TableAction | undefined {
  if (event.altKey) return undefined;
  const ctrl = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return TABLE_KEYS.find(
    (entry) => key in entry.keys && (entry.ctrl ?? false) === ctrl && (entry.shift ?? false) === event.shiftKey,
  )?.keys[key];
}
