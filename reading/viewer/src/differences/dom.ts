/** Makes an element with a text, and appends it. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text: string,
  to?: HTMLElement,
  style = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (text !== '') made.textContent = text;
  if (style !== '') made.className = style;
  to?.append(made);
  return made;
}

export function button(text: string, to: HTMLElement, pressed: () => void): HTMLButtonElement {
  const made = make('button', text, to);
  made.type = 'button';
  made.addEventListener('click', pressed);
  return made;
}
