import { render } from 'preact';
import { ServerClient } from './data/client';
import { LocalClient } from './data/local/client';
import { coupleWithPageAround } from './views/coupled';
import { Model } from './views/model';
import { Page } from './views/page';
import './views/style.css';
import './views/panel.css';
import './views/finding.css';
import './views/keeping.css';
import './views/why.css';
import './views/own.css';
import './views/menu.css';

// A page that `kymo slice` wrote has its recording in it.
const packed = document.getElementById('recording')?.textContent;
const model = new Model(packed ? new LocalClient(packed) : new ServerClient());
coupleWithPageAround(model);
render(<Page model={model} />, document.getElementById('page')!);
void model.load();
