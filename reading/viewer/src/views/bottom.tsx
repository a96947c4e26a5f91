import { Details } from './details/details';
import { EventDetails } from './details/event-details';
import type { Model } from '../state/model';
import { PanelBar, PanelBody } from './panel/panel';
import { PanelEdge } from './panel/panel-edge';
import { useScope } from './parts/scope';
import { useModel } from './parts/use';

/** Below the timeline: the tables, if they are open, with the selected call beside them. */
export function Bottom({ model }: { model: Model }) {
  const open = useModel(model, (m) => m.panel.open && m.recording !== undefined);
  // Everything below shows methods' colours.
  useModel(model, (m) => m.methods.version);
  return open ? <OpenPanel model={model} /> : <Selected model={model} />;
}

function OpenPanel({ model }: { model: Model }) {
  const height = useModel(model, (m) => m.panel.height);
  const scope = useScope(model);
  return (
    <aside class="panel" aria-label="Tables" style={{ height: `${Math.min(height, model.panel.maxHeight)}px` }}>
      <PanelEdge model={model} />
      <PanelBar model={model} scope={scope} />
      <div class="panel-row">
        <PanelBody model={model} scope={scope} />
        <Selected model={model} />
      </div>
    </aside>
  );
}

/** Details of the selection: a call, or events of the program's own. */
function Selected({ model }: { model: Model }) {
  const events = useModel(model, (m) => m.events.place);
  return events ? <EventDetails model={model} /> : <Details model={model} />;
}
