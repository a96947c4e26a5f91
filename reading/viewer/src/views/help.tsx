import { useEffect, useRef } from 'preact/hooks';
import { KEYS, MOUSE } from '../base/keys';
import { FLAME_KEYS, TABLE_KEYS } from '../base/table-keys';
import { Icon } from './parts/icons';
import type { Model } from '../state/model';
import { useModel } from './parts/use';

const MARKS: ReadonlyArray<readonly [look: string, says: string]> = [
  ['run', 'Paler, “×12”: 12 calls, too short to be drawn apart'],
  ['gap', 'Hatched: events were lost here, with how many'],
  ['torn', 'Torn edge: the call began before or ended after the recording'],
  ['unwound', 'Red end: left by an exception'],
  ['inferred', 'Dotted end: the leave is missing, the end is inferred'],
  ['lossy', 'Dashes below: events were lost while it ran'],
  ['waits', 'Thin strips above the calls: what the thread waited for; what the kernel did with it'],
  ['counts', 'Vertical stripes: calls were counted here, not drawn'],
  ['down', 'In the row of the recorder: from here on, a method is recorded in less detail'],
  ['up', 'From here on, it is recorded in more detail again'],
];

/** Every key, what the mouse does, and what the marks in the picture mean. */
export function Help({ model }: { model: Model }) {
  const shown = useModel(model, (m) => m.help);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (shown) dialog.current?.showModal();
    else dialog.current?.close();
  }, [shown]);
  const close = () => {
    model.help = false;
    model.changed();
  };
  return (
    <dialog
      class="help"
      ref={dialog}
      aria-label="Help"
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div class="help-body">
        <button class="plain close" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
        <section>
          <h2>Keys</h2>
          <dl>
            {KEYS.map((key) => [
              <dt>
                {key.shown.map((name) => (
                  <kbd>{name}</kbd>
                ))}
              </dt>,
              <dd>{key.says}</dd>,
            ])}
          </dl>
        </section>
        <section>
          <h2>In a table</h2>
          <dl>
            {TABLE_KEYS.map((key) => [
              <dt>
                {key.shown.map((name) => (
                  <kbd>{name}</kbd>
                ))}
              </dt>,
              <dd>{key.says}</dd>,
            ])}
          </dl>
          <h2>In the flame graph</h2>
          <dl>
            {FLAME_KEYS.map(([shown, says]) => [
              <dt>
                {shown.map((name) => (
                  <kbd>{name}</kbd>
                ))}
              </dt>,
              <dd>{says}</dd>,
            ])}
          </dl>
        </section>
        <section>
          <h2>Mouse</h2>
          <dl>{MOUSE.map(([does, says]) => [<dt>{does}</dt>, <dd>{says}</dd>])}</dl>
          <h2>Marks</h2>
          <dl class="marks">
            {MARKS.map(([look, says]) => [
              <dt>
                <i class={'mark ' + look} />
              </dt>,
              <dd>{says}</dd>,
            ])}
          </dl>
        </section>
      </div>
    </dialog>
  );
}
