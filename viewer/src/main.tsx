import { render } from 'preact';
import { ServerClient } from './data/client';
import { coupleWithPageAround } from './views/coupled';
import { Model } from './views/model';
import { Page } from './views/page';
import './views/style.css';
import './views/panel.css';
import './views/finding.css';
import './views/keeping.css';

const model = new Model(new ServerClient());
coupleWithPageAround(model);
render(<Page model={model} />, document.getElementById('page')!);
void model.load();
