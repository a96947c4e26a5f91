import type { MethodAnswer } from './contract';
import type { Client } from './client';
import { isKernel, kernelWords, type StateKind, stateColour, stateKind } from '../base/states';
import { css, fromHex, legible, type Rgb, type Theme } from '../base/colours';
import { type Families, differenceColour, hashColour, Hues, JDK } from '../base/hues';
import { nameOfRuns } from '../base/names';
import { INTERRUPTED } from '../base/words';

/** A method with its texts for drawing. */
export interface Method extends MethodAnswer {
  /** Class and method without the package: `Pool.take`. */
  readonly label: string;
  /** Where there is little room. */
  readonly short: string;
  /** Set if it is a state, not a method. */
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
  // What the virtual machine did: its track says what it was.
  if (descriptor === '' && name)
    return { ...answer, state, label: name, short: name, full: type ? `${type}: ${name}` : name };
  const short = withoutPackage(type);
  return {
    ...answer,
    state,
    label: short ? `${short}.${name}` : name,
    short: name,
    full: type ? `${type}.${name}` : name,
  };
}

/** What a processor runs: each has a hue. */
const BY_NAME = new Set(['thread', 'application']);

/** Kind of an event that begins a call. */
const BEGIN = 1;

/** Its loader is the file with the code. */
function isNative({ loader }: MethodAnswer): boolean {
  return loader.startsWith('/');
}

function colourOf(method: Method, hues: Hues, theme: Theme): Rgb {
  const { state, type, name, descriptor, event } = method;
  if (event) {
    const chosen = fromHex(event.colour);
    if (chosen) return legible(chosen, theme);
    // Events that begin and end are drawn as calls, beside others of their subsystem.
    return event.kind === BEGIN ? hues.other(`${type}.${name}`, '', theme) : hues.other(type, name, theme);
  }
  if (state) return stateColour(state, theme);
  // Each function has a colour of its own; otherwise all of the program would have the same one.
  if (isNative(method)) return hashColour(type || name, name, theme);
  // On a processor, each thread has a colour; interrupts have the colour of interrupted threads.
  if (descriptor === '' && type === 'interrupt') return stateColour(INTERRUPTED, theme);
  // A processor's threads, and what the virtual machine did.
  if (descriptor === '') return BY_NAME.has(type) ? hues.other(name, '', theme) : hues.other(type || name, name, theme);
  return hues.method(type, name, theme);
}

/** The family that gives a method its hue: its name, how to find it, and its colour. */
export interface Family {
  readonly name: string;
  /** A regular expression that its methods match; undefined if there is none. */
  readonly pattern: string | undefined;
  readonly colour: Rgb;
}

const NO_PACKAGE = '(no package)';

function familyOf(method: Method, hues: Hues, theme: Theme): Family | undefined {
  const { state, type, name, descriptor, event } = method;
  if (state || isNative(method)) return undefined;
  if (event) {
    const family = event.kind === BEGIN ? `${type}.${name}` : type;
    return { name: family, pattern: `^${quoted(method.full)}$`, colour: colourOf(method, hues, theme) };
  }
  if (descriptor === '')
    return BY_NAME.has(type) ? { name, pattern: undefined, colour: hues.other(name, '', theme) } : undefined;
  const family = hues.familyOf(type, name);
  if (family === JDK)
    return { name: JDK, pattern: '^(java|javax|jdk|sun|com\\.sun)\\.', colour: hues.type(type, theme) };
  const colour = hues.of === 'method' ? hues.method(type, name, theme) : hues.other(family, '', theme);
  const within = {
    package: family === '' ? '^[^.]*\\.[^.]*$' : `^${quoted(family)}\\.[^.]*\\.[^.]*$`,
    class: `^${quoted(family)}\\.`,
    method: `\\.${quoted(family)}$`,
  };
  return {
    name: hues.of === 'class' ? withoutPackage(family) : family || NO_PACKAGE,
    pattern: within[hues.of],
    colour,
  };
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Hidden classes have their address after their name: `a.b.C$$Lambda.0x1f00`. */
function withoutPackage(type: string): string {
  const name = type.replace(/[./]0x[0-9a-f]+$/, '');
  return name.slice(name.lastIndexOf('.') + 1).replaceAll(/\$+/g, '.');
}

/** A native function may get a better name about a second after its first call. */
const NAMED_AFTER_MS = 10_000;

/** Names of the methods seen so far. Each is requested once, when it comes into sight, unless it may still change. */
export class Methods {
  private readonly known = new Map<number, Method>();
  private readonly unnamed = new Map<number, number>();
  private readonly colours: Record<Theme, Map<number, Rgb>> = { light: new Map(), dark: new Map() };
  private readonly styles: Record<Theme, Map<number, string>> = { light: new Map(), dark: new Map() };

  private readonly hues = new Hues();
  private signs: ReadonlyMap<string, number> | undefined;
  /** Changes whenever colours change. */
  version = 0;
  /** How often names became known. */
  learned = 0;

  constructor(private readonly client: Client) {}

  /** Adopts what has hues of its own, before any colour is requested. */
  adopt(families: Families | undefined): void {
    if (!families) return;
    const { of } = this.hues;
    this.hues.adopt(families);
    if (of !== this.hues.of) this.forgetColours();
  }

  /** Colours methods by how they differ from another recording; undefined: as usual. Names are those of any run. */
  colourBy(signs: ReadonlyMap<string, number> | undefined): void {
    if (signs === this.signs) return;
    this.signs = signs;
    this.forgetColours();
  }

  private forgetColours(): void {
    this.version++;
    for (const theme of ['light', 'dark'] as const) {
      this.colours[theme].clear();
      this.styles[theme].clear();
    }
  }

  /** The family that gives a method its hue; undefined if it has a colour of its own or is not known yet. */
  family(id: number, theme: Theme): Family | undefined {
    const method = this.known.get(id);
    return method && !this.signs ? familyOf(method, this.hues, theme) : undefined;
  }

  /** What the colours of a class's methods have in common. */
  typeColour(type: string, theme: Theme): Rgb {
    return this.hues.type(type, theme);
  }

  get(id: number): Method | undefined {
    return this.known.get(id);
  }

  /** Requests the names that are not known yet. */
  async need(ids: Iterable<number>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.known.has(id) || this.mayBeNamed(id));
    if (missing.length === 0) return;
    for (const answer of await this.client.methods(missing)) {
      this.learn(answer);
    }
    this.learned++;
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
      const { signs } = this;
      colour =
        signs && !method.state && !method.event
          ? differenceColour(signs.get(nameOfRuns(method.full)) ?? 0, theme)
          : colourOf(method, this.hues, theme);
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

/** Whether such an event leads from an activity to what another thread did then. */
export function isLink(method: Method | undefined): boolean {
  return method?.full === 'activity.step';
}
