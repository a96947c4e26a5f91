/** What the address of a page of several recordings holds: reloading brings it back. */
export interface CompareAddress {
  /** The addresses of the viewers, by recording; empty = as a recording is first shown. */
  readonly viewers: readonly string[];
  /** The time axes are moved each by itself. */
  readonly apart: boolean;
  /** The panel of differences is open. */
  readonly differences: boolean;
  /** Which recordings are compared; 1 is the first. */
  readonly base: number;
  readonly new: number;
  /** The chosen difference, counted from 0. */
  readonly chosen?: number;
  /** What the flame graph's widths show. */
  readonly wide: 'base' | 'new';
  /** Calls are coloured by difference. */
  readonly coloured: boolean;
}

export function writeCompareAddress(address: CompareAddress): string {
  const parts: string[] = [];
  if (address.differences) parts.push('differences=true');
  if (address.base !== 1) parts.push(`base=${address.base}`);
  if (address.new !== 2) parts.push(`new=${address.new}`);
  if (address.chosen !== undefined) parts.push(`difference=${address.chosen + 1}`);
  if (address.wide !== 'new') parts.push(`wide=${address.wide}`);
  if (address.coloured) parts.push('coloured=true');
  if (address.apart) parts.push('apart=true');
  address.viewers.forEach((hash, i) => {
    if (hash) parts.push(`${i + 1}=${encodeURIComponent(hash)}`);
  });
  return parts.join('&');
}

/** Reads an address of `count` recordings, and leaves out whatever is wrong in it. */
export function readCompareAddress(hash: string, count: number): CompareAddress {
  const values = new URLSearchParams(hash.replace(/^#/, '').replaceAll('+', '%2B'));
  const number = (name: string, most: number) => {
    const text = values.get(name) ?? '';
    return /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined;
  };
  const chosen = number('difference', 1e9);
  const [base, fresh] = [number('base', count) ?? 1, number('new', count) ?? 2];
  return {
    viewers: Array.from({ length: count }, (_, i) => values.get(String(i + 1)) ?? ''),
    apart: values.get('apart') === 'true',
    differences: values.get('differences') === 'true',
    ...(base === fresh ? { base: 1, new: 2 } : { base, new: fresh }),
    ...(chosen === undefined ? {} : { chosen: chosen - 1 }),
    wide: values.get('wide') === 'base' ? 'base' : 'new',
    coloured: values.get('coloured') === 'true',
  };
}
