const KEY = 'kymo.legend';

/** Whether the legend is unfolded; the browser remembers it. */
export class LegendState {
  shown = localStorage.getItem(KEY) !== 'folded';

  constructor(private readonly changed: () => void) {}

  toggle(): void {
    this.shown = !this.shown;
    if (this.shown) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'folded');
    this.changed();
  }
}
