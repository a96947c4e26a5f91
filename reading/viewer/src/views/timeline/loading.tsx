import { useEffect, useState } from 'preact/hooks';
import type { Model } from '../../state/model';

/** Shorter waits are not shown. */
const PATIENCE_MS = 300;
const LOOK_EVERY_MS = 100;

/** Shows that something is loading, if that takes a while. */
export function Loading({ model }: { model: Model }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    let since: number | undefined;
    const look = () => {
      const { recording, loader, ownLoader, trouble } = model;
      const busy = !trouble && (recording === undefined || loader.busy || ownLoader.busy);
      since = busy ? (since ?? performance.now()) : undefined;
      setShown(since !== undefined && performance.now() - since >= PATIENCE_MS);
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [model]);
  return (
    <div class={'loading' + (shown ? ' shown' : '')} role="status">
      {shown && <span>Loading …</span>}
    </div>
  );
}
