import { render } from 'preact';
import { Model } from './views/model';
import { Page } from './views/page';
import './views/style.css';

const model = new Model();
render(<Page model={model} />, document.getElementById('page')!);
void model.load();
