import type { Item } from '../../state/menu';

/**
 * Puts a text into the clipboard. If the browser does not allow that (for a page from disk), shows it to be copied by
 * hand.
 */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    prompt('The browser does not allow copying; copy it from here:', text);
  }
}

export function copyItem(what: string, text: string | (() => string)): Item {
  return { text: what, act: () => void copy(typeof text === 'string' ? text : text()) };
}
