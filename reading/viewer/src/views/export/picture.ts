import { shortCommand } from '../../base/command';
import { exact, grouped, moment } from '../../base/time';
import { windowEnd } from '../../base/window';
import { rowsBetween, type Row } from '../../render/layout';
import { paintFrames, paintSelected } from '../../render/overlay';
import { drawRuler, FONT, prepare, rulerOf } from '../../render/paint';
import { fitted, type Pen } from '../../render/pen';
import { paintOverPixels, RowsPainter } from '../../render/rows';
import type { Scene } from '../../render/scene';
import { areasOf, SvgPen, TextWriter } from '../../render/svg';
import { endOfSelection, frameOfSelection } from '../timeline/frames';
import { GROUPS } from '../timeline/labels';
import type { PictureForm } from '../../state/exporting';
import type { Model } from '../../state/model';
import { shortNumberOf } from '../parts/thread-name';

/** Heights and widths in CSS pixels. */
const CAPTION = 26;
const RULER = 40;
const NAMES = 260;
const PADDING = 10;
/** Minimum pixels of the file per pixel of the page, because readers enlarge pictures. */
const SHARP = 2;
/** Each frame makes only a limited number of names; one screen needs at most this many frames. */
const MOST_FRAMES = 1000;

/** The visible picture, cut off where the rows end. */
interface Shown {
  readonly model: Model;
  readonly scene: Scene;
  readonly width: number;
  readonly height: number;
}

function shown(model: Model): Shown | undefined {
  const scene = model.scene?.();
  if (!scene) return undefined;
  const height = Math.max(1, Math.min(scene.height, scene.layout.height - scene.scrollTop));
  const cut = { ...scene, height };
  return { model, scene: cut, width: NAMES + scene.width, height: CAPTION + RULER + height };
}

/** The visible picture as a file; undefined if nothing is in sight. */
export async function pictureOf(model: Model, form: PictureForm): Promise<Blob | undefined> {
  return form === 'png' ? pngOf(model) : svgOf(model);
}

/** The picture with its ruler and names, as a PNG file. */
async function pngOf(model: Model): Promise<Blob | undefined> {
  const picture = shown(model);
  if (!picture) return undefined;
  const { scene, width, height } = picture;
  const ratio = Math.max(SHARP, window.devicePixelRatio || 1);
  const rows = document.createElement('canvas');
  const painter = new RowsPainter();
  for (let frame = 0; !painter.paint(rows, scene, ratio) && frame < MOST_FRAMES; frame++);
  const canvas = document.createElement('canvas');
  const context = prepare(canvas, width, height, ratio);
  context.fillStyle = scene.palette.groundStyle;
  context.fillRect(0, 0, width, height);
  const over = layer(scene.width, scene.height, ratio, (pen) => paintOver(pen, picture));
  const ruler = layer(scene.width, RULER, ratio, (pen) => paintRuler(pen, scene));
  paintFrame(context, picture);
  context.drawImage(ruler, NAMES, CAPTION, scene.width, RULER);
  context.drawImage(rows, NAMES, CAPTION + RULER, scene.width, scene.height);
  context.drawImage(over, NAMES, CAPTION + RULER, scene.width, scene.height);
  return new Promise((done) => canvas.toBlob((blob) => done(blob ?? undefined), 'image/png'));
}

function layer(width: number, height: number, ratio: number, paint: (pen: Pen) => void): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  paint(prepare(canvas, width, height, ratio));
  return canvas;
}

/** The picture as an SVG file: names are texts, everything else is lines and areas. */
function svgOf(model: Model): Blob | undefined {
  const picture = shown(model);
  if (!picture) return undefined;
  const { scene, width, height } = picture;
  const measure = prepare(document.createElement('canvas'), 1, 1);
  const names = new TextWriter(measure, SHARP);
  const pixels = new RowsPainter().paintPixels(scene, names, SHARP);
  const over = new SvgPen(measure);
  paintOverPixels(over, scene);
  const rows = `<g transform="scale(${1 / SHARP})" shape-rendering="crispEdges">${areasOf(pixels)}</g>\n${String(names)}\n${String(over)}`;
  const selected = new SvgPen(measure);
  paintOver(selected, picture);
  const ruler = new SvgPen(measure);
  paintRuler(ruler, scene);
  const whole = new SvgPen(measure);
  whole.fillStyle = scene.palette.groundStyle;
  whole.fillRect(0, 0, width, height);
  paintFrame(whole, picture);
  whole.within(NAMES, CAPTION, scene.width, RULER, String(ruler));
  whole.within(NAMES, CAPTION + RULER, scene.width, scene.height, rows + String(selected));
  const [size, family] = [FONT.slice(0, FONT.indexOf(' ')), FONT.slice(FONT.indexOf(' ') + 1)];
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-size="${size}" font-family="${family.replaceAll('"', "'")}" dominant-baseline="central">`;
  return new Blob([head, '\n', String(whole), '\n</svg>\n'], { type: 'image/svg+xml' });
}

/** The selected time, call and events, and the arrows. */
function paintOver(pen: Pen, { model, scene }: Shown): void {
  paintSelected(pen, scene, { arrow: undefined, end: endOfSelection(model) }, model.selection);
  paintFrames(pen, scene, frameOfSelection(model), model.events.place);
}

function paintRuler(pen: Pen, scene: Scene): void {
  drawRuler(pen, scene, RULER);
  const { anchor } = rulerOf(scene);
  if (anchor === undefined || anchor <= 0n) return;
  pen.font = '600 ' + FONT;
  pen.fillStyle = scene.palette.text;
  pen.fillText(`${exact(anchor)} +`, 6, 10);
  pen.font = FONT;
}

/** The caption, and the names of the rows. */
function paintFrame(pen: Pen, { model, scene, width, height }: Shown): void {
  const { palette, window, recording } = scene;
  const end = windowEnd(window);
  const times = `${moment(window.start)} – ${moment(end < recording.duration ? end : recording.duration)}`;
  pen.font = '600 ' + FONT;
  pen.fillStyle = palette.text;
  const name = fitted(pen, recording.name, width - 2 * PADDING);
  pen.fillText(name, PADDING, CAPTION / 2);
  const taken = pen.measureText(name).width;
  pen.font = FONT;
  pen.fillStyle = palette.faint;
  pen.fillText(fitted(pen, times, width - taken - 4 * PADDING), PADDING + taken + 2 * PADDING, CAPTION / 2);
  for (const row of rowsBetween(scene.layout.rows, scene.scrollTop, scene.scrollTop + scene.height)) {
    paintName(pen, model, row, CAPTION + RULER + row.top - scene.scrollTop, palette);
  }
  pen.fillStyle = palette.line;
  pen.fillRect(NAMES - 1, CAPTION, 1, height - CAPTION);
}

function paintName(pen: Pen, model: Model, row: Row, top: number, palette: Scene['palette']): void {
  if (row.kind === 'process') {
    pen.fillStyle = palette.processRow;
    pen.fillRect(0, Math.max(CAPTION + RULER, top), NAMES, row.height - Math.max(0, CAPTION + RULER - top));
  }
  pen.fillStyle = palette.line;
  pen.fillRect(0, top + row.height - 1, NAMES, 1);
  // The name of a row that begins above the edge is at the edge.
  const middle = Math.max(CAPTION + RULER, top) + Math.min(row.height - 4, 30) / 2;
  if (middle + 8 > top + row.height) return;
  const strong = row.kind === 'process' || (row.kind === 'track' && row.open);
  pen.font = (strong ? '600 ' : '') + FONT;
  pen.fillStyle = palette.text;
  pen.fillText(fitted(pen, nameOfRow(row), NAMES - 2 * PADDING), PADDING, middle);
  pen.font = FONT;
  if (row.kind !== 'track') return;
  pen.fillStyle = palette.faint;
  for (const { counter, band } of row.counters) {
    const label = model.methods.get(counter.event)?.short ?? '';
    if (top + band.top >= CAPTION + RULER)
      pen.fillText(fitted(pen, label, NAMES - 4 * PADDING), 2 * PADDING, top + band.top + band.height / 2);
  }
}

function nameOfRow(row: Row): string {
  switch (row.kind) {
    case 'process':
      return `${row.process.pid > 0 ? row.process.pid : ''} ${shortCommand(row.process.command)}`.trim() || 'kernel';
    case 'group':
      return GROUPS[row.of] + (row.closed ? ` (${grouped(row.tracks)})` : '');
    case 'crowd':
      return `${row.crowd.name} (${grouped(row.members.length)})`;
    case 'steps':
      return 'Recorder';
    case 'track':
      return (row.track.name || `thread ${row.track.thread}`) + (row.namesake ? ` ${shortNumberOf(row.track)}` : '');
  }
}
