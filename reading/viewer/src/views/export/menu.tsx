import { brief, grouped } from '../../base/time';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';
import type { Form, Span } from '../../state/exporting';
import { pictureOf } from './picture';

const SPANS: Readonly<Record<Span, string>> = {
  selected: 'Selected time',
  window: 'Time in sight',
  whole: 'Whole recording',
};
const FORMS: Readonly<Record<Form, readonly [name: string, says: string]>> = {
  slice: ['Recording', 'a smaller .kymo, zipped'],
  page: ['Page', 'one HTML file that needs no Kymo'],
  png: ['PNG', 'as pixels'],
  svg: ['SVG', 'as lines, areas and texts'],
};

/** Exports a part of the recording, a picture or a table. */
export function ExportMenu({ model }: { model: Model }) {
  const { exporting } = model;
  const canCut = useModel(model, (m) => m.exporting.canCut);
  const busy = useModel(model, (m) => m.exporting.busy);
  const message = useModel(model, (m) => m.exporting.message);
  const share = busy?.share;
  return (
    <>
      <button
        class="plain"
        title="Export a part, a picture or a table (Shift E)"
        aria-label="Export"
        popovertarget="export-menu"
      >
        <Icon name="download" />
      </button>
      <div id="export-menu" class="export-menu" popover="auto" role="group" aria-label="Export">
        {canCut && <Part model={model} />}
        <h2>Picture of what is in sight</h2>
        <Choices model={model} forms={['png', 'svg']} />
        <h2>Table</h2>
        <button class="choice" onClick={() => toTable(model)}>
          <b>CSV</b> <small>the table that is open, its rows as sorted and filtered</small>
        </button>
        <p class="export-said" role="status">
          {busy
            ? `${FORMS[busy.form][0]} is being made${share === undefined ? ' …' : `: ${Math.floor(share * 100)} %`}`
            : message}
          {busy && (
            <button class="link" onClick={() => exporting.cancel()}>
              cancel
            </button>
          )}
        </p>
      </div>
    </>
  );
}

/** The part of the recording, and its form. */
function Part({ model }: { model: Model }) {
  const { exporting } = model;
  const chosen = useModel(model, (m) => m.exporting.chosen);
  const range = useModel(model, (m) => m.selection.range);
  const tracks = useModel(model, (m) => m.selection.tracks.size);
  useModel(model, (m) => m.window);
  const { from = 0n, to = 0n } = exporting.scope;
  const spans = (Object.keys(SPANS) as Span[]).filter((span) => span !== 'selected' || range !== undefined);
  return (
    <>
      <h2>Part of the recording</h2>
      <div role="radiogroup" aria-label="Time" class="spans">
        {spans.map((span) => (
          <label key={span}>
            <input type="radio" name="export-span" checked={span === chosen} onChange={() => exporting.choose(span)} />
            {SPANS[span]}
          </label>
        ))}
      </div>
      <small>
        {brief(to - from)} of{' '}
        {tracks === 0 ? 'all threads' : `${grouped(tracks)} selected ${tracks === 1 ? 'thread' : 'threads'}`}
      </small>
      <Choices model={model} forms={['slice', 'page']} />
      <small>Command lines of processes are in both.</small>
    </>
  );
}

function Choices({ model, forms }: { model: Model; forms: readonly Form[] }) {
  const busy = useModel(model, (m) => m.exporting.busy !== undefined);
  return (
    <>
      {forms.map((form) => (
        <button
          key={form}
          class="choice"
          aria-disabled={busy}
          onClick={() => void model.exporting.make(form, (picture) => pictureOf(model, picture))}
        >
          <b>{FORMS[form][0]}</b> <small>{FORMS[form][1]}</small>
        </button>
      ))}
    </>
  );
}

/** Presses the CSV button of the open table, or opens the tables so that the reader can choose one. */
function toTable(model: Model): void {
  const csv = [...document.querySelectorAll<HTMLButtonElement>('.panel .tools button')].find(
    (button) => button.textContent?.trim() === 'CSV',
  );
  if (csv) csv.click();
  else {
    document.getElementById('export-menu')?.hidePopover();
    model.panel.show(model.panel.tab);
  }
}
