import { mix, type Rgb } from '../base/colours';
import type { Methods } from '../data/methods';
import type { Palette } from './palette';
import { ink, type Ink, rgbOf } from './pixels';

/** How strongly a run of calls that are too short to draw apart is coloured. */
export const RUN_STRENGTH = 0.62;
/** How strongly slices outside a search are coloured. */
const DIM_STRENGTH = 0.2;

/** The share of the method's colour in a line's colour. */
const LINE_SHARE = 0.7;

/** Flags that add up to the look of a slice. */
export const RUN = 1;
export const DIMMED = 2;
const LOOKS = 4;
const STRENGTHS: readonly number[] = [1, RUN_STRENGTH, DIM_STRENGTH, DIM_STRENGTH * RUN_STRENGTH];

/** The colours of the picture in one theme; the colours of the methods are mixed only once. */
export class Inks {
  readonly alive: Ink;
  readonly process: Ink;
  readonly line: Ink;
  readonly ground: Ink;
  readonly text: Ink;
  readonly dimmedText: Ink;
  readonly loss: Ink;
  readonly error: Ink;
  /** Of the grid: on nothing, on a living thread, on a process's heading. */
  readonly grid: readonly [bare: Ink, alive: Ink, process: Ink];
  private slices = new Uint32Array(4096 * LOOKS);
  readonly version: number;

  constructor(
    private readonly methods: Methods,
    private readonly palette: Palette,
  ) {
    this.version = methods.version;
    const { gridLine, gridShare } = palette;
    const alive = rgbOf(palette.alive);
    const process = rgbOf(palette.processRow);
    this.alive = ink(alive);
    this.process = ink(process);
    this.line = ink(rgbOf(palette.line));
    this.ground = ink(palette.ground);
    this.text = ink(rgbOf(palette.onCall));
    this.dimmedText = ink(rgbOf(palette.faint));
    this.loss = ink(rgbOf(palette.loss));
    this.error = ink(rgbOf(palette.error));
    const over = (ground: Rgb) => ink(mix(gridLine, ground, gridShare));
    this.grid = [ink(gridLine, gridShare), over(alive), over(process)];
  }

  /** The colour of a slice of a method with a look. */
  slice(method: number, look: number): Ink {
    const known = this.slices[method * LOOKS + look];
    return known || this.mixed(method, look);
  }

  /** The colour of a line that belongs to a method: darker than a slice on a light ground, lighter on a dark one. */
  curve(method: number, look: number): Ink {
    const colour = this.methods.colour(method, this.palette.theme);
    return ink(mix(mix(colour, rgbOf(this.palette.text), LINE_SHARE), rgbOf(this.palette.alive), STRENGTHS[look]!));
  }

  private mixed(method: number, look: number): Ink {
    const colour = this.methods.colour(method, this.palette.theme);
    const made = ink(mix(colour, rgbOf(this.palette.alive), STRENGTHS[look]!));
    // The name of a method may not be here yet: its colour will change in a moment.
    if (!this.methods.get(method)) return made;
    while (method * LOOKS + look >= this.slices.length) {
      const grown = new Uint32Array(this.slices.length * 2);
      grown.set(this.slices);
      this.slices = grown;
    }
    this.slices[method * LOOKS + look] = made;
    return made;
  }
}

const made = new WeakMap<Methods, Map<Palette, Inks>>();

export function inksOf(methods: Methods, palette: Palette): Inks {
  let themes = made.get(methods);
  if (!themes) made.set(methods, (themes = new Map()));
  let inks = themes.get(palette);
  if (!inks || inks.version !== methods.version) themes.set(palette, (inks = new Inks(methods, palette)));
  return inks;
}
