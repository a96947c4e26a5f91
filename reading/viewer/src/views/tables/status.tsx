import type { ComponentChildren } from 'preact';
import type { Asked } from '../parts/scope';

/** The progress of an answer, what it leaves out, or why there is none. */
export function Status({ asked, children }: { asked: Asked<object>; children?: ComponentChildren }) {
  const answer: { readonly atLeast?: boolean } | undefined = asked.answer;
  return (
    <span class="status" role="status">
      {asked.busy && <Progress share={asked.progress} />}
      {asked.failed !== undefined && <span class="warn">{asked.failed}</span>}
      {answer?.atLeast && (
        <span class="warn pill" title="Events were lost in this selection: counts and times are lower bounds.">
          at least
        </span>
      )}
      {children}
    </span>
  );
}

function Progress({ share }: { share: number | undefined }) {
  const percent = share === undefined ? undefined : Math.floor(share * 100);
  return (
    <span class="progress">
      <progress aria-label="Reading the events" {...(share === undefined ? {} : { value: share, max: 1 })} />
      <small>{percent === undefined ? 'reading' : `reading, ${percent} %`}</small>
    </span>
  );
}
