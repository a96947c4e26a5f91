import { useEffect } from 'preact/hooks';
import { BookmarkList } from './bookmark-list';
import { Bottom } from './bottom';
import { Help } from './help';
import { listenToKeys } from './keyboard';
import type { Model } from '../state/model';
import { PaletteDialog } from './palette/palette';
import { SearchBox } from './toolbar/search-box';
import { Timeline } from './timeline/timeline';
import { Toolbar } from './toolbar/toolbar';
import { useModel } from './parts/use';

/** The whole page. */
export function Page({ model }: { model: Model }) {
  const theme = useModel(model, (m) => m.theme);
  const name = useModel(model, (m) => m.recording?.name);
  useEffect(() => listenToKeys(model), [model]);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useEffect(() => {
    document.title = name ? `${name} – Kymo` : 'Kymo';
  }, [name]);
  return (
    <>
      <Toolbar model={model} />
      <Notice model={model} />
      <SearchBox model={model} />
      <Timeline model={model} />
      <Bottom model={model} />
      <BookmarkList model={model} />
      <PaletteDialog model={model} />
      <Help model={model} />
    </>
  );
}

/** Reports what does not work, and what the page does about it. */
function Notice({ model }: { model: Model }) {
  const trouble = useModel(model, (m) => m.trouble);
  const news = useModel(model, (m) => m.editions.news);
  if (!trouble)
    return news === '' ? null : (
      <div class="notice" role="status">
        {news}
      </div>
    );
  return (
    <div class="notice" role="alert">
      {trouble.kind === 'lost'
        ? 'The server does not answer: was “kymo view” stopped? The page keeps what it has and tries again every 2 seconds.'
        : trouble.text + ' Trying again every 2 seconds.'}
    </div>
  );
}
