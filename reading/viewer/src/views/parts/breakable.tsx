import { Fragment } from 'preact';

/** A qualified name that may be broken after its dots, and within its parts only if it must. */
export function Breakable({ name }: { name: string }) {
  return (
    <>
      {name.split(/(?<=[.$])/).map((part, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}
