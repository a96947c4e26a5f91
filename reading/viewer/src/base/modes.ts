import { brief } from './time';

/** How a method is recorded, as the contract numbers it. */
const LEFT_OUT = 0;
const MODES = ['left out', 'recorded as events', 'counted and timed', 'counted, timed by sample'];

/** How the reason for leaving out a method begins that cannot have probes; as in `MethodMode`. */
const NEVER = 'it cannot be recorded: ';

/** Whether a method could not be recorded at all, so that its time is in its callers' self time. */
export function isNever({ mode, reason }: { readonly mode: number; readonly reason: string }): boolean {
  return mode === LEFT_OUT && reason.startsWith(NEVER);
}

export function modeSays(mode: number): string {
  return MODES[mode] ?? `mode ${mode}`;
}

/** The budget for the probes of a process; empty if it is not known. */
export function budgetSays({ budget }: { readonly budget: number }): string {
  if (budget < 0) return '';
  return budget === 0
    ? 'no budget: every call is recorded'
    : `budget: probes may take ${budget / 10_000} % of a thread’s time`;
}

interface Took {
  readonly probes: number;
  readonly weaving: number;
  readonly housekeeping: number;
  readonly lifetime: number;
}

/** What recording cost a process; empty if it is not known. */
export function tookSays({ took }: { readonly took?: Took }): string {
  if (!took) return '';
  const { probes, weaving, housekeeping, lifetime } = took;
  const share = ((probes + weaving + housekeeping) / Math.max(1, lifetime)) * 100;
  const percent = share < 0.1 ? '< 0.1' : share < 10 ? share.toFixed(1) : String(Math.round(share));
  const times = [probes, weaving, housekeeping].map((nanos) => brief(BigInt(Math.round(nanos))));
  return `recording took about ${percent} % of a processor: ${times[0]} probes, ${times[1]} inserting them, ${times[2]} Kymo’s threads`;
}

/** Whether a step makes recording cheaper and less detailed. */
export function isDown(before: number, mode: number): boolean {
  return mode !== before && (mode === LEFT_OUT || (before !== LEFT_OUT && mode > before));
}
