import { Fragment } from 'preact';

/** A qualified name that breaks after its dots, and within its parts only if necessary. */
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
