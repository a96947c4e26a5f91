/** How a method is recorded, as the contract numbers it. */
const LEFT_OUT = 0;
const MODES = ['left out', 'recorded as events', 'counted and timed', 'counted, timed by sample'];

export function modeSays(mode: number): string {
  return MODES[mode] ?? `mode ${mode}`;
}

/** What the probes of a process may take; nothing if that is not known. */
export function budgetSays({ budget }: { readonly budget: number }): string {
  if (budget < 0) return '';
  return budget === 0 ? 'no budget: every call is recorded' : `budget: probes may take ${budget / 10_000} % of a thread’s time`;
}

/** Whether a step makes recording cheaper and tells less. */
export function isDown(before: number, mode: number): boolean {
  return mode !== before && (mode === LEFT_OUT || (before !== LEFT_OUT && mode > before));
}
