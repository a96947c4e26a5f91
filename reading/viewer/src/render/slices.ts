import { INFERRED_END, LOSSY, OPEN_BEGIN, OPEN_END, UNWOUND } from '../base/flags';
import { grouped } from '../base/time';
import { offsetIn } from '../base/window';
import type { TrackKind } from '../base/words';
import type { Piece } from '../data/piece';
import { paintBlur } from './blur';
import { DIMMED, type Inks, RUN } from './inks';
import type { Ink, Pixels } from './pixels';
import type { Scene } from './scene';

const TEXT_ROOM = 26;
const TEXT_HEIGHT = 14;
/** Lower bands are stripes. */
const THIN = 8;
const MARK_ROOM = 5;

/** Writes texts into the picture; all in device pixels. */
export interface Writer {
  /** Whether something was left out for lack of time. */
  readonly late: boolean;
  begin(): void;
  width(text: string): number;
  /** Begins at `x` with its middle at `y`; what does not fit into `room` is cut. */
  write(pixels: Pixels, text: string, x: number, y: number, room: number, colour: Ink): void;
}

/** What slices are painted with. */
export interface Brush {
  readonly scene: Scene;
  readonly pixels: Pixels;
  readonly inks: Inks;
  readonly glyphs: Writer;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

/** Slices of a band that get a name or marks after its lines are painted: index, left and right of each. */
let later = new Int32Array(3 * 4096);

/** Which methods a filter keeps; undefined: all. */
type Shows = ((method: number) => boolean) | undefined;

/** Where the slices of a depth are painted; in device pixels. */
export interface Place {
  readonly depth: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Paints slices of a track, inner ones over outer ones where they overlap; names and marks over all of them. Their ends
 * are blurred by so many device pixels.
 */
export function paintBands(brush: Brush, piece: Piece, places: readonly Place[], kind: TrackKind, blur: number): void {
  const shows = brush.scene.shown?.slices(kind);
  const ends: number[] = [];
  let count = 0;
  for (const { depth, top, bottom } of places) {
    const first = Math.max(0, top);
    if (first < Math.min(bottom, brush.pixels.height)) {
      count = paintLine(brush, piece, depth, first, bottom - top, count, shows, blur > 0);
      brush.pixels.repeat(first, bottom);
    }
    ends.push(count);
  }
  let i = 0;
  places.forEach(({ top, bottom }, place) => {
    const begin = i;
    for (; blur > 0 && i < ends[place]!; i += 3) blurEnds(brush, piece, later[i]!, top, bottom, blur);
    for (i = begin; i < ends[place]!; i += 3)
      finish(brush, piece, later[i]!, later[i + 1]!, later[i + 2]!, top, bottom, shows);
  });
}

/**
 * Paints the first line of a band, and appends the slices that need more to the notes; returns the end of the notes.
 */
function paintLine(
  brush: Brush,
  piece: Piece,
  depth: number,
  y: number,
  height: number,
  noted: number,
  shows: Shows,
  blurred: boolean,
): number {
  const { scene, pixels, inks, ratio } = brush;
  const { highlighted } = scene;
  const named = scene.shown?.named ?? false;
  const { width, data } = pixels;
  const { begin, end, method, calls, flags } = piece.slices;
  const scale = width / scene.window.span;
  const shift = offsetIn(scene.window, piece.from);
  const last = piece.range(depth)[1];
  // A finer piece may have many slices in one pixel; the first one represents all. Thin stripes
  // are two pixels apart, because there are many of them.
  const step = height < THIN * ratio ? 2 : 1;
  const textRoom = height >= TEXT_HEIGHT * ratio ? TEXT_ROOM * ratio : Infinity;
  const row = y * width;
  let painted = -Infinity;
  let notes = noted;
  for (let i = piece.firstEndingAt(depth, -shift); i < last; i++) {
    const x0 = (begin[i]! + shift) * scale;
    if (x0 > width) break;
    const x1 = (end[i]! + shift) * scale;
    const left = Math.round(x0 < -20 ? -20 : x0);
    const right = Math.max(left + 1, Math.round(x1 > width + 20 ? width + 20 : x1));
    const sought = highlighted !== undefined && highlighted.has(method[i]!);
    const pale = shows !== undefined && !shows(method[i]!);
    // A hit is never left out.
    if (right < painted + step && !sought && (!named || pale)) continue;
    painted = right;
    const room = right - left;
    const look = (calls[i]! > 1 ? RUN : 0) + (pale || (highlighted !== undefined && !sought) ? DIMMED : 0);
    const edge = room >= 4 ? right - 1 : right;
    data.fill(
      inks.slice(method[i]!, look),
      row + (left < 0 ? 0 : left),
      row + (edge < 0 ? 0 : edge > width ? width : edge),
    );
    if (room >= textRoom || ((blurred || flags[i] !== 0) && room >= MARK_ROOM)) notes = note(notes, i, left, right);
  }
  return notes;
}

function note(at: number, index: number, left: number, right: number): number {
  if (at + 3 > later.length) {
    const grown = new Int32Array(later.length * 2);
    grown.set(later);
    later = grown;
  }
  later[at] = index;
  later[at + 1] = left;
  later[at + 2] = right;
  return at + 3;
}

function blurEnds(
  { scene, pixels, inks }: Brush,
  piece: Piece,
  i: number,
  top: number,
  bottom: number,
  blur: number,
): void {
  const { begin, end, calls, method } = piece.slices;
  const scale = pixels.width / scene.window.span;
  const shift = offsetIn(scene.window, piece.from);
  const left = Math.round((begin[i]! + shift) * scale);
  const right = Math.max(left + 1, Math.round((end[i]! + shift) * scale));
  paintBlur(pixels, left, right, top, bottom, blur, inks.slice(method[i]!, calls[i]! > 1 ? RUN : 0), inks.alive);
}

function finish(
  brush: Brush,
  piece: Piece,
  i: number,
  left: number,
  right: number,
  top: number,
  bottom: number,
  shows: Shows,
): void {
  const { flags, calls, method } = piece.slices;
  // The ends of a run are not ends of a call.
  const marks = calls[i]! > 1 ? flags[i]! & LOSSY : flags[i]!;
  const edge = right - left >= 4 ? right - 1 : right;
  if (marks !== 0) paintMarks(brush, marks, left, edge, top, bottom);
  const { ratio } = brush;
  if (right - left >= TEXT_ROOM * ratio && bottom - top >= TEXT_HEIGHT * ratio) {
    const pale = shows !== undefined && !shows(method[i]!);
    paintName(brush, method[i]!, calls[i]!, left, right, (top + bottom) / 2, pale);
  }
}

function paintName(
  brush: Brush,
  id: number,
  calls: number,
  left: number,
  right: number,
  y: number,
  pale: boolean,
): void {
  const { scene, pixels, inks, glyphs, ratio } = brush;
  const method = scene.methods.get(id);
  if (!method) return;
  const x = Math.max(left, 0) + Math.round(5 * ratio);
  const room = Math.min(right, pixels.width) - x - 4 * ratio;
  if (room < (TEXT_ROOM - 8) * ratio) return;
  const dimmed = pale || (scene.highlighted !== undefined && !scene.highlighted.has(id));
  const colour = dimmed ? inks.dimmedText : inks.text;
  const many = calls > 1 ? ` ×${grouped(calls)}` : '';
  const manyRoom = many === '' ? 0 : widthOf(glyphs, many);
  const full = glyphs.width(method.label);
  const text = full + manyRoom <= room ? method.label : method.short;
  glyphs.write(pixels, text, x, y, room, colour);
  const taken = glyphs.width(text);
  if (many !== '' && taken + manyRoom <= room) writeDigits(brush, many, x + taken, y, colour);
}

/** Numbers change in every frame of a zoom, so they are composed of single letters. */
function widthOf(glyphs: Writer, text: string): number {
  let width = 0;
  for (let i = 0; i < text.length; i++) width += glyphs.width(text[i]!);
  return width;
}

function writeDigits(brush: Brush, text: string, x: number, y: number, colour: number): void {
  const { pixels, glyphs } = brush;
  let at = x;
  for (let i = 0; i < text.length; i++) {
    glyphs.write(pixels, text[i]!, at, y, Infinity, colour);
    at += glyphs.width(text[i]!);
  }
}

/** Marks unusual ends of a slice. */
function paintMarks(brush: Brush, flags: number, left: number, right: number, top: number, bottom: number): void {
  const { pixels, inks, ratio } = brush;
  const unit = Math.round(ratio);
  if (right - left < MARK_ROOM - 1) return;
  if (flags & LOSSY && bottom - top >= 6 * ratio) {
    const end = Math.min(right, pixels.width) - 2 * unit;
    for (let x = Math.max(left, 0); x < end; x += 5 * unit) {
      pixels.fill(x, bottom - 2 * unit, x + 3 * unit, bottom, inks.loss);
    }
  }
  if (flags & UNWOUND) pixels.fill(right - 3 * unit, top, right, bottom, inks.error);
  if (flags & OPEN_BEGIN) paintTear(brush, left, 1, top, bottom);
  if (flags & OPEN_END) paintTear(brush, right, -1, top, bottom);
  if (flags & INFERRED_END) {
    for (let y = top + unit; y < bottom - unit; y += 4 * unit) {
      pixels.fill(right - 2 * unit, y, right, Math.min(y + 2 * unit, bottom), inks.text);
    }
  }
}

/** A torn edge: the call continued there, but was not recorded. */
function paintTear(brush: Brush, edge: number, inwards: 1 | -1, top: number, bottom: number): void {
  const { pixels, inks, ratio } = brush;
  const tooth = (bottom - top) / Math.max(1, Math.round((bottom - top) / (6 * ratio)));
  for (let y = top; y < bottom; y++) {
    const share = ((y - top + 0.5) / tooth) % 1;
    const depth = Math.round(4 * ratio * (1 - Math.abs(2 * share - 1)));
    if (inwards > 0) pixels.fill(edge, y, edge + depth, y + 1, inks.ground);
    else pixels.fill(edge - depth, y, edge, y + 1, inks.ground);
  }
}
