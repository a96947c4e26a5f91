import type { Model } from '../../state/model';
import { useModel } from '../parts/use';

interface Read {
  readonly model: Model;
  readonly read: number;
  readonly importing: boolean;
  readonly following: boolean;
}

/** The share that was read of a recording whose index is being made, or of an imported file. */
function Reading({ model, read, importing, following }: Read) {
  const share = Math.floor(read * 100) + ' %';
  const why = importing ? "Another tracer's file is being imported." : 'The recording is opened for the first time.';
  return (
    <button
      class={'live reading' + (following ? ' following' : '')}
      aria-pressed={following}
      title={`${why} The picture and the tables show what has been read so far: ${share}`}
      onClick={() => model.growth.toggle()}
    >
      {importing ? `importing: ${share}` : `read so far: ${share}`}
    </button>
  );
}

/** Whether the end of a growing recording is followed. */
export function LiveButton({ model }: { model: Model }) {
  const growing = useModel(model, (m) => m.growth.growing);
  const following = useModel(model, (m) => m.following);
  const read = useModel(model, (m) => m.growth.read);
  const importing = useModel(model, (m) => m.growth.importing);
  if (!growing) return null;
  if (read < 1) return <Reading model={model} read={read} importing={importing} following={following} />;
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
