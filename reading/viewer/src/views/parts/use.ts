import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Model } from '../../state/model';

/** Renders a component again when the value that it reads from the model has changed. */
export function useModel<T>(model: Model, read: (model: Model) => T): T {
  const value = read(model);
  const last = useRef(value);
  last.current = value;
  const [, again] = useReducer((count: number) => count + 1, 0);
  const reader = useRef(read);
  reader.current = read;
  useEffect(
    () =>
      model.subscribe(() => {
        if (!Object.is(reader.current(model), last.current)) again(undefined as never);
      }),
    [model],
  );
  return value;
}
