import { render } from 'preact';
import { ServerClient } from './data/client';
import { LocalClient } from './data/local/client';
import { coupleWithPageAround } from './views/coupled';
import { Model } from './state/model';
import { Page } from './views/page';
import './views/style/style.css';
import './views/style/panel.css';
import './views/style/finding.css';
import './views/style/keeping.css';
import './views/style/why.css';
import './views/style/own.css';
import './views/style/menu.css';
import './views/style/query.css';

// A page that `kymo slice` wrote contains its recording.
const packed = document.getElementById('recording')?.textContent;
const model = new Model(packed ? new LocalClient(packed) : new ServerClient());
coupleWithPageAround(model);
render(<Page model={model} />, document.getElementById('page')!);
void model.load();
