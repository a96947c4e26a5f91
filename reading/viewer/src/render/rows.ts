import type { Nanos } from '../base/time';
import { blurOf } from './blur';
import { paintCounts } from './counts';
import { paintCurve } from './curves';
import { paintGaps } from './gaps';
import { Glyphs } from './glyphs';
import { inksOf } from './inks';
import { paintHeat } from './heat';
import { bandsOf, type CrowdRow, lanesOf, rowsBetween, stripOf, stripsOf, type TrackRow } from './layout';
import { ownPiece, paintMarks } from './marks';
import { FONT, prepare, rulerOf } from './paint';
import type { Pen } from './pen';
import { type Ink, Pixels } from './pixels';
import { bestPiece, type Scene, xOf } from './scene';
import { type Brush, paintBands, type Place, type Writer } from './slices';
import { paintSteps } from './steps';

/** Paints all rows in sight as pixels; the canvas then paints losses over them. */
export class RowsPainter {
  private readonly pixels = new Pixels();
  private readonly glyphs = new Map<number, Glyphs>();
  private ticks: number[] = [];

  /** Returns whether everything was painted; if not, another frame is needed. */
  paint(canvas: HTMLCanvasElement, scene: Scene, ratio = window.devicePixelRatio || 1): boolean {
    const glyphs = this.glyphsFor(ratio);
    const pixels = this.paintPixels(scene, glyphs, ratio);
    const context = prepare(canvas, scene.width, scene.height, ratio);
    pixels.put(context);
    paintOverPixels(context, scene);
    return !glyphs.late;
  }

  /** Paints the pixels; a writer writes the names. */
  paintPixels(scene: Scene, glyphs: Writer, ratio: number): Pixels {
    const { pixels } = this;
    pixels.fit(Math.round(scene.width * ratio), Math.round(scene.height * ratio));
    const brush: Brush = { scene, pixels, inks: inksOf(scene.methods, scene.palette), glyphs, ratio };
    glyphs.begin();
    this.ticks = rulerOf(scene).ticks.map((tick) => Math.round(Math.round(xOf(scene, tick.time)) * ratio));
    const rows = rowsBetween(scene.layout.rows, scene.scrollTop, scene.scrollTop + scene.height);
    this.paintGround(brush);
    for (const row of rows) {
      const top = Math.round((row.top - scene.scrollTop) * ratio);
      const bottom = Math.round((row.top + row.height - scene.scrollTop) * ratio);
      if (row.kind === 'track') this.paintTrack(brush, row, top, bottom);
      else if (row.kind === 'process')
        this.paintStrip(brush, top, bottom, 0, pixels.width, brush.inks.process, brush.inks.grid[2]);
      else if (row.kind === 'crowd') this.paintCrowd(brush, row, top, bottom);
      else pixels.fill(0, bottom - Math.round(ratio), pixels.width, bottom, brush.inks.line);
    }
    return pixels;
  }

  private glyphsFor(ratio: number): Glyphs {
    let glyphs = this.glyphs.get(ratio);
    if (!glyphs) this.glyphs.set(ratio, (glyphs = new Glyphs(FONT, ratio)));
    return glyphs;
  }

  /** Nothing but the grid. */
  private paintGround(brush: Brush): void {
    const { pixels, inks } = brush;
    if (pixels.height === 0) return;
    pixels.line(0, 0, pixels.width, 0);
    this.paintTicks(brush, 0, 0, pixels.width, inks.grid[0]);
    pixels.repeat(0, pixels.height);
  }

  private paintTicks(brush: Brush, y: number, left: number, right: number, colour: Ink): void {
    const unit = Math.round(brush.ratio);
    for (const x of this.ticks) {
      if (x >= left && x < right) brush.pixels.line(y, x, x + unit, colour);
    }
  }

  /** A rectangle with the grid on it. */
  private paintStrip(
    brush: Brush,
    top: number,
    bottom: number,
    left: number,
    right: number,
    colour: Ink,
    grid: Ink,
  ): void {
    const { pixels } = brush;
    const first = Math.max(0, top);
    if (first >= Math.min(bottom, pixels.height)) return;
    pixels.line(first, left, right, colour);
    this.paintTicks(brush, first, left, right, grid);
    pixels.repeat(first, bottom);
  }

  private paintCrowd(brush: Brush, row: CrowdRow, top: number, bottom: number): void {
    const { pixels, inks, ratio } = brush;
    this.paintStrip(brush, top, bottom - Math.round(ratio), 0, pixels.width, inks.alive, inks.grid[1]);
    paintHeat(brush, row, top, bottom - Math.round(ratio));
    pixels.fill(0, bottom - Math.round(ratio), pixels.width, bottom, inks.line);
  }

  private paintTrack(brush: Brush, row: TrackRow, top: number, bottom: number): void {
    const { scene, pixels, inks, ratio } = brush;
    const { begin, end } = lifeOf(row);
    const left = Math.round(Math.max(0, xOf(scene, begin)) * ratio);
    const right = Math.round(Math.min(scene.width, xOf(scene, end)) * ratio);
    // The time between the thread's first and last events.
    if (right >= left && left < pixels.width) {
      const [first, last] = [top + Math.round(2 * ratio), bottom - Math.round(2 * ratio)];
      this.paintStrip(brush, first, last, left, Math.max(left + 1, right), inks.alive, inks.grid[1]);
    }
    pixels.fill(0, bottom - Math.round(ratio), pixels.width, bottom, inks.line);
    const blur = blurOf(scene.recording, row.track.process, scene.window.span / pixels.width);
    for (const lane of lanesOf(row, scene.scrollTop, scene.scrollTop + scene.height)) {
      const piece = bestPiece(scene, lane);
      if (!piece) continue;
      const places: Place[] = [];
      for (const [depth, band] of bandsOf(row, lane)) {
        const y = row.top - scene.scrollTop + band.top;
        if (y + band.height < 0 || y > scene.height) continue;
        places.push({ depth, top: Math.round(y * ratio), bottom: Math.round((y + band.height) * ratio) });
      }
      paintBands(brush, piece, places, scene.recording.tracks[lane.track]?.kind ?? 'calls', blur);
      if (row.countsBand && !stripOf(row, lane.track)) {
        const y = row.top - scene.scrollTop + row.countsBand.top;
        paintCounts(brush, piece, Math.round(y * ratio), Math.round((y + row.countsBand.height) * ratio));
      }
    }
    this.paintOwn(brush, row, right);
  }

  /** A thread's own events: marks, and counters until the thread's end. */
  private paintOwn(brush: Brush, row: TrackRow, end: number): void {
    const { scene, ratio } = brush;
    const y = (at: number) => Math.round((row.top - scene.scrollTop + at) * ratio);
    const { marksBand, counters } = row;
    const marks = marksBand && ownPiece(scene, row.track.id);
    if (marks) paintMarks(brush, marks, y(marksBand.top), y(marksBand.top + marksBand.height));
    for (const { track, counter, band } of counters) {
      const piece = ownPiece(scene, track);
      if (piece) paintCurve(brush, piece, counter, y(band.top), y(band.top + band.height), end);
    }
  }
}

/** What is drawn over the pixels: losses, and what the recorder did. */
export function paintOverPixels(pen: Pen, scene: Scene): void {
  for (const row of rowsBetween(scene.layout.rows, scene.scrollTop, scene.scrollTop + scene.height)) {
    if (row.kind === 'track') paintLosses(pen, scene, row);
    else if (row.kind === 'steps') paintSteps(pen, scene, row);
  }
}

/** From a thread's first event to its last. */
function lifeOf(row: TrackRow): { begin: Nanos; end: Nanos } {
  let { begin, end } = row.track;
  for (const { track } of stripsOf(row)) {
    if (track.begin < begin) begin = track.begin;
    if (track.end > end) end = track.end;
  }
  return { begin, end };
}

/** Losses, over all of a thread's calls and own events, or over its states. */
function paintLosses(context: Pen, scene: Scene, row: TrackRow): void {
  const top = row.top - scene.scrollTop;
  let callsDone = false;
  for (const lane of lanesOf(row, scene.scrollTop, scene.scrollTop + scene.height)) {
    const band = stripOf(row, lane.track)?.band;
    if (!band && callsDone) continue;
    callsDone ||= !band;
    const piece = bestPiece(scene, lane);
    if (!piece || piece.slices.gaps.lost.length === 0) continue;
    if (band) paintGaps(context, scene, piece, top + band.top, band.height);
    else {
      paintGaps(context, scene, piece, top + row.callsTop + 2, row.callsHeight - 4);
      // Events may be missing as well as calls.
      const own = [...(row.marksBand ? [row.marksBand] : []), ...row.counters.map((counter) => counter.band)];
      for (const strip of own) paintGaps(context, scene, piece, top + strip.top, strip.height);
    }
  }
}
