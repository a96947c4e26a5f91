import { expect, test } from 'vitest';
import { errorSays } from '../../src/base/time';
import type { Process, Recording } from '../../src/data/contract';
import { blurOf, paintBlur } from '../../src/render/blur';
import { Pixels } from '../../src/render/pixels';

const PROCESS: Process = { process: 1, pid: 7, parentPid: 1, command: 'x', jvm: '', end: 'ended', lost: 0, budget: 0 };
const RECORDING = { processes: [PROCESS, { ...PROCESS, process: 2, clockError: 5000 }] } as unknown as Recording;

const GROUND = 0xffffffff;
const COLOUR = 0xff000000;

/** A line of pixels with a slice on it. */
function line(left: number, right: number): Pixels {
  const pixels = new Pixels();
  pixels.width = 40;
  pixels.height = 1;
  pixels.data = new Uint32Array(40).fill(GROUND).fill(COLOUR, left, right);
  return pixels;
}

const red = (pixels: Pixels, x: number) => pixels.data[x]! & 255;

test('an error that is narrower than a pixel is not drawn', () => {
  expect(blurOf(RECORDING, 1, 1000)).toBe(0);
  expect(blurOf(RECORDING, 2, 1000)).toBe(5);
  expect(blurOf(RECORDING, 2, 20_000)).toBe(0);
  expect(blurOf(RECORDING, 2, 0.1)).toBe(400);
  expect(blurOf(RECORDING, 3, 1)).toBe(0);
});

test('an end fades from the slice to the ground over the error to both sides', () => {
  const pixels = line(15, 30);
  paintBlur(pixels, 15, 30, 0, 1, 5, COLOUR, GROUND);
  for (let x = 10; x < 20; x++) expect(red(pixels, x)).toBeLessThan(red(pixels, x - 1));
  for (let x = 26; x < 36; x++) expect(red(pixels, x)).toBeGreaterThan(red(pixels, x - 1));
  expect(red(pixels, 9)).toBe(255);
  expect(red(pixels, 20)).toBe(0);
  expect(Math.abs(red(pixels, 14) + red(pixels, 15) - 255)).toBeLessThan(4);
});

test('a wide error stays inside the picture, and out of where nothing is painted', () => {
  const pixels = line(2, 38);
  pixels.data[39] = 0;
  paintBlur(pixels, 2, 38, -3, 9, 30, COLOUR, GROUND);
  expect(pixels.data[39]).toBe(0);
  expect(red(pixels, 19)).toBeGreaterThan(0);
  expect(pixels.data.length).toBe(40);
});

test('a process says by how much its times may be wrong', () => {
  expect(errorSays({})).toBe('');
  expect(errorSays({ clockError: 61_320 })).toContain('61.32');
});
