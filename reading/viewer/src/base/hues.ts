import { hash, oklch, type Rgb, type Theme } from './colours';

/** What has a hue of its own: packages; classes, if there is but one package; methods, if there is but one class. */
export type HueOf = 'package' | 'class' | 'method';

/** What has a hue of its own in a recording, as the server reports it. */
export interface Families {
  readonly of: HueOf;
  /** In the order of their first occurrence, so that the hues of a growing recording do not change. */
  readonly names: readonly string[];
  /** Also with a hue: threads that processors ran, and subsystems of events. */
  readonly others: readonly string[];
}

/**
 * Degrees, each with a shift in lightness: neighbouring hues also differ in lightness, which the
 * colour-blind can tell apart; names and tooltips never rely on colour.
 */
const HUES: ReadonlyArray<readonly [hue: number, shift: number]> = [
  [255, 0],
  [80, 0.06],
  [168, -0.01],
  [340, 0.01],
  [217, 0.05],
  [35, -0.02],
  [300, 0.01],
  [130, 0.04],
];
/** After these, the same hues come again with less colour. */
const PALE = 0.5;
const SHADES = [0, 0.035, -0.035];
/** Classes of a package differ a little in hue and lightness. */
const CLASSES: ReadonlyArray<readonly [turn: number, shift: number]> = [
  [0, 0],
  [11, -0.025],
  [-11, 0.02],
];
/**
 * A name keeps its preferred hue if that is at least this share of the largest possible distance from the other hues.
 */
const FAR_ENOUGH = 0.9;

interface Look {
  readonly lightness: number;
  readonly chroma: number;
  /** How much of the shifts in lightness is used. */
  readonly spread: number;
}
const LOOKS: Record<Theme, Look> = {
  light: { lightness: 0.77, chroma: 0.115, spread: 1 },
  dark: { lightness: 0.67, chroma: 0.11, spread: 0.8 },
};

export const JDK = 'JDK';

/** The JDK's own classes stay grey: readers look for their own. */
export function isPlatform(type: string): boolean {
  return /^(java|javax|jdk|sun|com\.sun)\./.test(type);
}

function packageOf(type: string): string {
  return type.slice(0, Math.max(0, type.lastIndexOf('.')));
}

function apart(a: number, b: number): number {
  const turn = Math.abs(HUES[a]![0] - HUES[b]![0]);
  return Math.min(turn, 360 - turn);
}

/**
 * Assigns each family a hue as far from the earlier ones as possible. Among hues that are about as
 * far, the name alone decides, so that a package mostly looks the same in every recording.
 */
export class Hues {
  of: HueOf = 'package';
  private readonly slots = new Map<string, number>();

  /** Adopts the families of a recording; known ones keep their hues. */
  adopt({ of, names, others }: Families): void {
    if (of !== this.of) this.slots.clear();
    this.of = of;
    [...names, ...others].forEach((name) => this.slot(name));
  }

  /** An index into the hues; from the number of hues on, the paler ones. */
  private slot(family: string): number {
    const known = this.slots.get(family);
    if (known !== undefined) return known;
    const found = this.free(family);
    this.slots.set(family, found);
    return found;
  }

  private free(family: string): number {
    const count = HUES.length;
    const wanted = hash(family) % count;
    const ring = Math.floor(this.slots.size / count);
    // More cannot be told apart.
    if (ring > 1) return wanted + count * (hash(family + ' ') % 2);
    const taken = [...this.slots.values()]
      .filter((slot) => Math.floor(slot / count) === ring)
      .map((slot) => slot % count);
    const distance = (slot: number) => taken.reduce((least, other) => Math.min(least, apart(slot, other)), 360);
    const best = HUES.reduce((far, _, slot) => (distance(slot) > distance(far) ? slot : far), 0);
    const chosen = distance(wanted) >= FAR_ENOUGH * distance(best) ? wanted : best;
    return chosen + ring * count;
  }

  /** The colour of a method of a class. */
  method(type: string, name: string, theme: Theme): Rgb {
    const shade = SHADES[hash(name) % SHADES.length]!;
    if (isPlatform(type)) return grey(shade, theme);
    switch (this.of) {
      case 'package':
        return this.ofClass(type, shade, theme);
      case 'class':
        return this.mixed(type, 0, shade, theme);
      case 'method':
        return this.mixed(name, 0, 0, theme);
    }
  }

  /** What the colours of a class's methods have in common. */
  type(type: string, theme: Theme): Rgb {
    if (isPlatform(type)) return grey(0, theme);
    return this.of === 'package' ? this.ofClass(type, 0, theme) : this.mixed(type, 0, 0, theme);
  }

  /** What a method of a class shares its hue with. */
  familyOf(type: string, name: string): string {
    if (isPlatform(type)) return JDK;
    return this.of === 'package' ? packageOf(type) : this.of === 'class' ? type : name;
  }

  /** The colour of something other than a method: a thread or a subsystem; `name` distinguishes its parts. */
  other(family: string, name: string, theme: Theme): Rgb {
    return this.mixed(family, 0, name === '' ? 0 : SHADES[hash(name) % SHADES.length]!, theme);
  }

  private ofClass(type: string, shade: number, theme: Theme): Rgb {
    const [turn, shift] = CLASSES[hash(type) % CLASSES.length]!;
    return this.mixed(packageOf(type), turn, shade + shift, theme);
  }

  private mixed(family: string, turn: number, shade: number, theme: Theme): Rgb {
    const slot = this.slot(family);
    const [hue, shift] = HUES[slot % HUES.length]!;
    const look = LOOKS[theme];
    const chroma = look.chroma * (slot < HUES.length ? 1 : PALE);
    return oklch(look.lightness + (shift + shade) * look.spread, chroma, hue + turn);
  }
}

/** Red and blue: all eyes tell them apart. */
const SLOWER = 28;
const FASTER = 255;
/** More than calls have otherwise: they stand out. */
const CERTAIN = 0.15;

/** The colour of a method by whether it takes longer than before, for certain: 1, less: -1, or neither: 0. */
export function differenceColour(sign: number, theme: Theme): Rgb {
  if (sign === 0) return grey(0, theme);
  return oklch(LOOKS[theme].lightness, CERTAIN, sign > 0 ? SLOWER : FASTER);
}

function grey(shade: number, theme: Theme): Rgb {
  const look = LOOKS[theme];
  return oklch(look.lightness + shade * look.spread, 0.015, 250);
}

/** The colour of a name by its hash alone, for sets that are too large to give each name a hue of its own. */
export function hashColour(type: string, name: string, theme: Theme): Rgb {
  const look = LOOKS[theme];
  const [hue, shift] = HUES[hash(type) % HUES.length]!;
  return oklch(look.lightness + (shift + SHADES[hash(name) % SHADES.length]!) * look.spread, look.chroma, hue);
}
