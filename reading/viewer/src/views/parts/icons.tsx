/** Small drawings for buttons; the button's label has the words. */
const PATHS = {
  closed: 'M6 4l4 4-4 4',
  open: 'M4 6l4 4 4-4',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  whole: 'M2.5 4v8M13.5 4v8M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2',
  close: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3.3 3.3',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
  dark: 'M13 9.8A5.6 5.6 0 0 1 6.2 3a5.4 5.4 0 1 0 6.8 6.8z',
  system: 'M2.5 3.5h11v7.5h-11zM6 13.5h4M8 11v2.5',
  previous: 'M4 10l4-4 4 4',
  next: 'M4 6l4 4 4-4',
  pin: 'M5.5 2.5h5M6.5 2.5v4l-2 2.5h7l-2-2.5v-4M8 9v4.5',
  hide: 'M2 8s2.3-4 6-4 6 4 6 4-2.3 4-6 4-6-4-6-4zM3 13L13 3',
  flag: 'M4 14V2.5M4 3h8l-2 2.8L12 8.5H4',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  help: 'M6 6.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.3v.3M8 11.8v.2',
  copy: 'M6 5.5h7.5v8H6zM3.5 10.5h-1v-8H10v1',
  download: 'M8 2.5v8M4.8 7.5L8 10.7l3.2-3.2M3 13.5h10',
  panel: 'M2.5 3h11v10h-11zM2.5 8.5h11',
  list: 'M3 4h.01M3 8h.01M3 12h.01M6 4h7.5M6 8h7.5M6 12h7.5',
  butterfly:
    'M2.5 3.5h3M2.5 8h3M2.5 12.5h3M10.5 5.5h3M10.5 10.5h3M5.5 3.5L8 8L5.5 12.5M5.5 8H8M8 8l2.5-2.5M8 8l2.5 2.5',
  hot: 'M3 3.5h4v4h4v4h2.5',
  recorder: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11zM8 5v3.2l2.2 1.6',
  arrows: 'M4.5 13V3.5M2.5 5.5l2-2.2 2 2.2M11.5 3v9.5M9.5 10.5l2 2.2 2-2.2',
  path: 'M2.5 3.5h5v9h6M11.5 10.5l2 2-2 2',
  target: 'M2.5 5.5v-3h3M13.5 5.5v-3h-3M2.5 10.5v3h3M13.5 10.5v3h-3M5.5 8h5',
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
