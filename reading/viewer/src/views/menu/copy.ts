import type { Item } from './items';

/** Puts a text into the clipboard. Where the browser does not allow that (a page from disk), it is shown to be copied by hand. */
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
