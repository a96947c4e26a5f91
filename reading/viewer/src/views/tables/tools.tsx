import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { grouped } from '../../base/time';
import { csv, type Facts, tsv } from '../../data/table';
import { Icon } from '../parts/icons';

/** The line above a table: filter, number of rows, copy, download. */
export function Tools(props: {
  readonly columns: readonly Facts[];
  readonly rows: readonly number[];
  readonly all: number;
  readonly filter: string;
  readonly wrong: boolean;
  readonly onFilter: (filter: string) => void;
  /** Name of the downloaded file, without its extension. */
  readonly file: string;
  readonly said: string;
  readonly onCopy: () => void;
  readonly children?: ComponentChildren;
}) {
  const { columns, rows, all, filter, wrong } = props;
  return (
    <div class="tools">
      <label class={'table-filter' + (wrong ? ' wrong' : '')}>
        <Icon name="search" />
        <input
          type="search"
          placeholder="Filter: text or /regular expression/"
          aria-label="Filter the table: text, or a regular expression between slashes"
          aria-invalid={wrong}
          autocomplete="off"
          spellcheck={false}
          value={filter}
          onInput={(event) => props.onFilter(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
          }}
        />
      </label>
      <small class="row-count">
        {wrong
          ? 'not a regular expression'
          : rows.length === all
            ? `${grouped(all)} ${all === 1 ? 'row' : 'rows'}`
            : `${grouped(rows.length)} of ${grouped(all)}`}
      </small>
      {props.children}
      <span class="space" />
      <small class="said" role="status">
        {props.said}
      </small>
      <button class="tool" title="Copy the rows shown, as text with tabs (Ctrl C)" onClick={props.onCopy}>
        <Icon name="copy" />
        Copy
      </button>
      <button
        class="tool"
        title="Download the rows shown, as a CSV file"
        onClick={() => download(csv(columns, rows), props.file + '.csv')}
      >
        <Icon name="download" />
        CSV
      </button>
    </div>
  );
}

/** Copies rows, and reports whether that worked. */
export function useCopy(columns: readonly Facts[], rows: readonly number[]): [said: string, copy: () => void] {
  const [said, say] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(tsv(columns, rows));
      say(`${grouped(rows.length)} ${rows.length === 1 ? 'row' : 'rows'} copied`);
    } catch {
      say('The browser does not allow copying; download it instead');
    }
    setTimeout(() => say(''), 4000);
  };
  return [said, () => void copy()];
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
