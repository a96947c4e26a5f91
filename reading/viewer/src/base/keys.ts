/** Every key and what it does, in one table: the handler and the help page cannot disagree. */
export type Action =
  | 'zoomIn'
  | 'zoomOut'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'whole'
  | 'back'
  | 'zoomToCall'
  | 'caller'
  | 'toggleThread'
  | 'foldAll'
  | 'filter'
  | 'theme'
  | 'search'
  | 'nextHit'
  | 'previousHit'
  | 'nextPoint'
  | 'previousPoint'
  | 'goTo'
  | 'longestCall'
  | 'nextCall'
  | 'previousCall'
  | 'nextCallHere'
  | 'previousCallHere'
  | 'palette'
  | 'pin'
  | 'hide'
  | 'bookmark'
  | 'bookmarks'
  | 'follow'
  | 'arrows'
  | 'alongArrow'
  | 'selectTime'
  | 'selectThread'
  | 'panel'
  | 'path'
  | 'menu'
  | 'export'
  | 'butterfly'
  | 'unselect'
  | 'help';

interface Key {
  readonly action: Action;
  /** Values of `KeyboardEvent.key`, letters in lower case; `ctrl+` and `shift+` before where they count. */
  readonly keys: readonly string[];
  readonly shown: readonly string[];
  readonly says: string;
}

export const KEYS: readonly Key[] = [
  { action: 'zoomIn', keys: ['w', '+', '='], shown: ['W', '+'], says: 'Zoom in' },
  { action: 'zoomOut', keys: ['s', '-', '_'], shown: ['S', '−'], says: 'Zoom out' },
  { action: 'left', keys: ['a', 'arrowleft'], shown: ['A', '←'], says: 'Earlier' },
  { action: 'right', keys: ['d', 'arrowright'], shown: ['D', '→'], says: 'Later' },
  { action: 'whole', keys: ['home', '0'], shown: ['Home', '0'], says: 'Whole recording' },
  { action: 'back', keys: ['z', 'backspace', 'ctrl+z'], shown: ['Z', '⌫'], says: 'Back to the previous view' },
  { action: 'zoomToCall', keys: ['f'], shown: ['F'], says: 'Zoom to the selected call or events' },
  { action: 'caller', keys: ['c'], shown: ['C'], says: 'Select the caller' },
  { action: 'up', keys: ['arrowup'], shown: ['↑'], says: 'Thread above' },
  { action: 'down', keys: ['arrowdown'], shown: ['↓'], says: 'Thread below' },
  { action: 'pageUp', keys: ['pageup'], shown: ['Page ↑'], says: 'Scroll up' },
  { action: 'pageDown', keys: ['pagedown'], shown: ['Page ↓'], says: 'Scroll down' },
  { action: 'toggleThread', keys: ['enter'], shown: ['Enter'], says: 'Unfold or fold the thread' },
  { action: 'foldAll', keys: ['x'], shown: ['X'], says: 'Fold all threads' },
  { action: 'selectTime', keys: ['m'], shown: ['M'], says: 'Select the time of the selected call' },
  { action: 'selectThread', keys: [' '], shown: ['Space'], says: 'Select or unselect the thread' },
  { action: 'panel', keys: ['p'], shown: ['P'], says: 'Tables about the selection' },
  {
    action: 'path',
    keys: ['k'],
    shown: ['K'],
    says: 'Critical path: which threads determined the end of the selected call or time',
  },
  {
    action: 'butterfly',
    keys: ['y'],
    shown: ['Y'],
    says: 'Butterfly: callers and callees of the selected or marked method',
  },
  { action: 'pin', keys: ['i'], shown: ['I'], says: 'Pin the thread to the top, or unpin it' },
  { action: 'hide', keys: ['h'], shown: ['H'], says: 'Hide the thread' },
  { action: 'search', keys: ['ctrl+f'], shown: ['Ctrl F'], says: 'Search methods' },
  { action: 'nextHit', keys: ['n'], shown: ['N'], says: 'Next call found' },
  { action: 'previousHit', keys: ['shift+n'], shown: ['Shift N'], says: 'Previous call found' },
  { action: 'nextPoint', keys: ['j'], shown: ['J'], says: 'Next irregular point of executed instructions' },
  { action: 'previousPoint', keys: ['shift+j'], shown: ['Shift J'], says: 'Previous irregular point' },
  { action: 'goTo', keys: ['g'], shown: ['G'], says: 'Go to a time' },
  { action: 'nextCall', keys: ['.'], shown: ['.'], says: 'Next call of the selected method, on any thread' },
  { action: 'previousCall', keys: [','], shown: [','], says: 'Previous call of it, on any thread' },
  { action: 'nextCallHere', keys: [']'], shown: [']'], says: 'Next call of it on this thread' },
  { action: 'previousCallHere', keys: ['['], shown: ['['], says: 'Previous call of it on this thread' },
  { action: 'longestCall', keys: ['l'], shown: ['L'], says: 'Longest call of the selected method' },
  {
    action: 'palette',
    keys: ['ctrl+k', 'ctrl+shift+p', ':'],
    shown: ['Ctrl K', ':'],
    says: 'Commands, threads and methods by name',
  },
  { action: 'bookmark', keys: ['b'], shown: ['B'], says: 'Bookmark the selection, or the middle of the window' },
  { action: 'bookmarks', keys: ['shift+b'], shown: ['Shift B'], says: 'List the bookmarks' },
  { action: 'follow', keys: ['e'], shown: ['E'], says: 'Follow the end of a growing recording, or pause' },
  { action: 'arrows', keys: ['v'], shown: ['V'], says: 'Show or hide the arrows between threads' },
  { action: 'alongArrow', keys: ['o'], shown: ['O'], says: 'From the selected wait to the thread that ended it' },
  { action: 'filter', keys: ['/'], shown: ['/'], says: 'Filter threads' },
  { action: 'theme', keys: ['t'], shown: ['T'], says: 'Light, dark, or the system’s theme' },
  { action: 'export', keys: ['shift+e'], shown: ['Shift E'], says: 'Export a part, a picture or a table' },
  { action: 'menu', keys: ['shift+f10', 'contextmenu'], shown: ['Shift F10', '☰'], says: 'Show a menu of actions' },
  { action: 'unselect', keys: ['escape'], shown: ['Esc'], says: 'Unselect, close' },
  { action: 'help', keys: ['?'], shown: ['?'], says: 'This help' },
];

/** What the mouse does, for the same page. */
export const MOUSE: ReadonlyArray<readonly [does: string, says: string]> = [
  ['Wheel', 'Zoom at the pointer'],
  ['Shift + wheel', 'Earlier, later'],
  ['Wheel over names', 'Scroll through threads'],
  ['Drag', 'Move the picture'],
  ['Drag in the ruler, Shift + drag', 'Select a time range; its ends can be dragged'],
  ['Double-click the range', 'Zoom to it'],
  ['Click a call', 'Select it and see its details'],
  ['Double-click a call', 'Zoom to it'],
  ['Click an arrow', 'Go to its other end'],
  ['Right click anything', 'Show a menu of actions'],
  ['Click a thread', 'Unfold or fold it'],
  ['Ctrl + click a thread', 'Select or unselect it'],
];

/** A key as it was pressed. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
  readonly shiftKey?: boolean;
}

/** Shift counts only where an entry says so: `?` and `+` need it on some keyboards and not on others. */
export function actionOf({ key, ctrlKey, metaKey, shiftKey }: Pressed): Action | undefined {
  const plain = (ctrlKey || metaKey ? 'ctrl+' : '') + key.toLowerCase();
  const shifted = (ctrlKey || metaKey ? 'ctrl+' : '') + 'shift+' + key.toLowerCase();
  const named = (name: string) => KEYS.find((entry) => entry.keys.includes(name))?.action;
  return (shiftKey ? named(shifted) : undefined) ?? named(plain);
}
