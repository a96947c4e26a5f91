import type { Model } from './model';
import { useModel } from './use';

/** Whether the end of a growing recording is followed. */
export function LiveButton({ model }: { model: Model }) {
  const growing = useModel(model, (m) => m.growth.growing);
  const following = useModel(model, (m) => m.growth.following);
  if (!growing) return null;
  return (
    <button
      class={'live' + (following ? ' following' : '')}
      aria-pressed={following}
      title={following ? 'Pause (E)' : 'Go to the end and follow it (E)'}
      onClick={() => model.growth.toggle()}
    >
      {following ? 'live' : 'paused: go to the end'}
    </button>
  );
}
