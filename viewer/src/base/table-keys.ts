/** What keys do while a table has the focus; the handler and the help page share it, as in keys.ts. */
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
  readonly action: TableAction;
  readonly key: string;
  readonly shift?: boolean;
  readonly ctrl?: boolean;
  readonly shown: readonly string[];
  readonly says: string;
}

export const TABLE_KEYS: readonly TableKey[] = [
  { action: 'rowUp', key: 'ArrowUp', shown: ['↑'], says: 'Row above' },
  { action: 'rowDown', key: 'ArrowDown', shown: ['↓'], says: 'Row below' },
  { action: 'rowsUp', key: 'PageUp', shown: ['Page ↑'], says: 'A page up' },
  { action: 'rowsDown', key: 'PageDown', shown: ['Page ↓'], says: 'A page down' },
  { action: 'first', key: 'Home', shown: ['Home'], says: 'First row' },
  { action: 'last', key: 'End', shown: ['End'], says: 'Last row' },
  { action: 'act', key: 'Enter', shown: ['Enter'], says: 'Mark the method; go to the call; filter by the category' },
  { action: 'actMore', key: 'Enter', shift: true, shown: ['Shift', 'Enter'], says: 'Go to the method’s longest call' },
  { action: 'unfold', key: 'ArrowRight', shown: ['→'], says: 'Unfold' },
  { action: 'fold', key: 'ArrowLeft', shown: ['←'], says: 'Fold, go to the caller' },
  { action: 'hotPath', key: 'h', shown: ['H'], says: 'Unfold the hot path' },
  { action: 'copy', key: 'c', ctrl: true, shown: ['Ctrl', 'C'], says: 'Copy the table' },
];

/** Keys of the flame graph. */
export const FLAME_KEYS: ReadonlyArray<readonly [shown: readonly string[], says: string]> = [
  [['↑', '↓', '←', '→'], 'Caller, costliest callee, neighbours'],
  [['Enter'], 'Zoom into it'],
  [['Esc'], 'Zoom out again'],
  [['Space'], 'Mark its method'],
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
    (entry) => entry.key === key && (entry.ctrl ?? false) === ctrl && (entry.shift ?? false) === event.shiftKey,
  )?.action;
}
