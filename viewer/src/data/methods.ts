import type { MethodAnswer } from './contract';
import type { Client } from './client';
import { isKernel, kernelWords, type StateKind, stateColour, stateKind } from '../base/states';
import { css, fromHex, legible, methodColour, type Rgb, type Theme } from '../base/colours';

/** A method with what is drawn of it. */
export interface Method extends MethodAnswer {
  /** Class and method without the package: `Pool.take`. */
  readonly label: string;
  /** Where there is little room. */
  readonly short: string;
  /** It is no method, but a state: what is waited for. */
  readonly state: StateKind | undefined;
  readonly full: string;
}

export function described(answer: MethodAnswer): Method {
  const { type, name, descriptor } = answer;
  const state = answer.event ? undefined : stateKind(answer);
  if (state && isKernel(state)) {
    const words = kernelWords(state, name);
    return { ...answer, state, label: words, short: state, full: words };
  }
  if (answer.event) {
    const full = type ? `${type}.${name}` : name;
    return { ...answer, state: undefined, label: name, short: name, full };
  }
  if (state) {
    const words = (of: string) => (of ? `${type} ${of}` : type);
    return { ...answer, state, label: words(withoutPackage(name)), short: type, full: words(name) };
  }
  if (isNative(answer)) return { ...answer, state, label: name, short: name, full: type ? `${type}: ${name}` : name };
  // What the virtual machine did: what it was is told by its track.
  if (descriptor === '' && name) return { ...answer, state, label: name, short: name, full: type ? `${type}: ${name}` : name };
  const short = withoutPackage(type);
  return { ...answer, state, label: short ? `${short}.${name}` : name, short: name, full: type ? `${type}.${name}` : name };
}

/** Its loader is the file with the code. */
function isNative({ loader }: MethodAnswer): boolean {
  return loader.startsWith('/');
}

function colourOf(method: Method, theme: Theme): Rgb {
  const { state, type, name, descriptor, event } = method;
  if (event) {
    const chosen = fromHex(event.colour);
    return chosen ? legible(chosen, theme) : methodColour(event.category || type, name, theme);
  }
  if (state) return stateColour(state, theme);
  // All of a program would have one colour: each of its functions has one.
  if (isNative(method)) return methodColour(type || name, name, theme);
  // On a processor: each thread has a colour, interrupts have that of those who are interrupted.
  if (descriptor === '' && type === 'interrupt') return stateColour('interrupted', theme);
  return methodColour(descriptor === '' && type === 'thread' ? name : type, name, theme);
}

function withoutPackage(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1).replaceAll('$', '.');
}

/** A native function is named about a second after its first call, if there is a better name. */
const NAMED_AFTER_MS = 10_000;

/** Names of the methods seen so far; asked for once each, as they come into sight, if they do not change. */
export class Methods {
  private readonly known = new Map<number, Method>();
  private readonly unnamed = new Map<number, number>();
  private readonly colours: Record<Theme, Map<number, Rgb>> = { light: new Map(), dark: new Map() };
  private readonly styles: Record<Theme, Map<number, string>> = { light: new Map(), dark: new Map() };

  constructor(private readonly client: Client) {}

  get(id: number): Method | undefined {
    return this.known.get(id);
  }

  /** Learns the names of those not known yet. */
  async need(ids: Iterable<number>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.known.has(id) || this.mayBeNamed(id));
    if (missing.length === 0) return;
    for (const answer of await this.client.methods(missing)) {
      this.learn(answer);
    }
  }

  private learn(answer: MethodAnswer): void {
    const { id, descriptor } = answer;
    this.known.set(id, described(answer));
    for (const theme of ['light', 'dark'] as const) {
      this.colours[theme].delete(id);
      this.styles[theme].delete(id);
    }
    if (!descriptor.startsWith('+0x')) this.unnamed.delete(id);
    else if (!this.unnamed.has(id)) this.unnamed.set(id, Date.now());
  }

  private mayBeNamed(id: number): boolean {
    const seen = this.unnamed.get(id);
    return seen !== undefined && Date.now() - seen < NAMED_AFTER_MS;
  }

  colour(id: number, theme: Theme): Rgb {
    const colours = this.colours[theme];
    let colour = colours.get(id);
    if (!colour) {
      const method = this.known.get(id);
      if (!method) return [128, 128, 128];
      colour = colourOf(method, theme);
      colours.set(id, colour);
    }
    return colour;
  }

  /** The colour as a canvas takes it. */
  style(id: number, theme: Theme): string {
    const styles = this.styles[theme];
    let style = styles.get(id);
    if (style === undefined) {
      style = css(this.colour(id, theme));
      if (this.known.has(id)) styles.set(id, style);
    }
    return style;
  }
}
