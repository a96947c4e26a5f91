import type { ShowMessage } from '../base/viewer-message';
import { button, make } from '../differences/dom';
import { type Match, Matching, matchText, partnerOf, placed } from './matching';
import type { PlacedCall } from './coupling';
import type { DifferencePanel } from './panel';
import type { Ties } from './ties';
import type { Viewers } from './viewers';

type Call = Omit<ShowMessage, 'kymo'>;

/** The call that is selected in one viewer and the one that stands for it in the other, while the panel is open. */
export class TiedCalls {
  private readonly matching = new Matching();
  private readonly says: HTMLElement;
  private readonly button: HTMLButtonElement;
  private calls: readonly PlacedCall[] = [];

  constructor(
    into: HTMLElement,
    private readonly panel: DifferencePanel,
    private readonly viewers: Viewers,
    private readonly ties: Ties,
    align: (calls: readonly PlacedCall[]) => void,
  ) {
    const row = make('div', '', into, 'tied');
    this.says = make('p', '', row, 'matched');
    this.says.setAttribute('role', 'status');
    this.button = button('Align', row, () => align(this.calls));
    this.button.title = 'Both calls begin at the same place';
    this.say('');
  }

  private say(text: string): void {
    this.says.textContent = text;
    this.says.parentElement!.hidden = text === '';
    this.button.hidden = this.calls.length < 2;
  }

  /** Nothing is matched: calls that are shown for a difference are tied if there are two. */
  show(tied: readonly [number, number] | undefined): void {
    this.matching.stop();
    this.calls = [];
    this.say('');
    this.ties.tie(tied);
  }

  /** The reader has selected a call of a recording: its partner is selected in the other. */
  async selected(index: number, call: Call | null): Promise<void> {
    const { panel } = this;
    const sides = [panel.base - 1, panel.new - 1] as const;
    this.show(undefined);
    if (!panel.open || !call || !sides.includes(index)) return;
    panel.forgetShown();
    const toNew = index === sides[0];
    const other = toNew ? sides[1] : sides[0];
    this.say('Looking for this call in the other recording …');
    try {
      const roles = panel.roles;
      const match = await this.matching.ask(
        call,
        index,
        other,
        (role) => partnerOf(role, roles, toNew),
        (share) => this.say(`Looking for this call in the other recording … ${Math.floor(share * 100)} %`),
      );
      if (match === undefined) return;
      if (match) this.found(match, index, other, toNew);
      else this.say('');
    } catch (error) {
      this.say((error as Error).message);
    }
  }

  private found(match: Match, index: number, other: number, toNew: boolean): void {
    if (match.call) {
      this.viewers.show(other, { ...match.call, time: match.call.begin });
      const [from, to] = this.panel.durations(toNew);
      this.calls = [placed(index, match.own, from), placed(other, match.call, to)];
      this.ties.tie([index, other]);
    }
    this.say(matchText(match, toNew ? 'base' : 'new', toNew ? 'new' : 'base'));
  }
}
