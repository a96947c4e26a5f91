import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

/** The share that was read of a recording whose index is being made. */
function Reading({ model, read, following }: { model: Model; read: number; following: boolean }) {
  const share = Math.floor(read * 100) + ' %';
  return (
    <button
      class={'live reading' + (following ? ' following' : '')}
      aria-pressed={following}
      title={`The recording is opened for the first time. The picture and the tables show what has been read so far: ${share}`}
      onClick={() => model.growth.toggle()}
    >
      {`read so far: ${share}`}
    </button>
  );
}

/** Whether the end of a growing recording is followed. */
export function LiveButton({ model }: { model: Model }) {
  const growing = useModel(model, (m) => m.growth.growing);
  const following = useModel(model, (m) => m.following);
  const read = useModel(model, (m) => m.growth.read);
  if (!growing) return null;
  if (read < 1) return <Reading model={model} read={read} following={following} />;
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
