export type Theme = 'light' | 'dark';

export type Rgb = readonly [number, number, number];

/** 32-bit FNV-1a with a final mix, over UTF-16 units. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 15)) >>> 0;
}

/** Converts OKLCH to 8-bit sRGB and clips what does not fit. */
export function oklch(lightness: number, chroma: number, degrees: number): Rgb {
  const angle = (degrees * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** How light a colour is to the eye, and where it lies between green and red, blue and yellow. */
function oklab([red, green, blue]: Rgb): readonly [lightness: number, a: number, b: number] {
  const [r, g, s] = [linear(red), linear(green), linear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * s);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * s);
  const c = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * s);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * c,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * c,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * c,
  ];
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** The range of lightness for calls: they stand out from the ground, and text on them can be read. */
const LEGIBLE: Record<Theme, readonly [least: number, most: number]> = { light: [0.66, 0.84], dark: [0.58, 0.8] };

/** Makes a chosen colour as light or dark as the theme needs, and keeps its hue. */
export function legible(chosen: Rgb, theme: Theme): Rgb {
  const [lightness, a, b] = oklab(chosen);
  const [least, most] = LEGIBLE[theme];
  if (lightness >= least && lightness <= most) return chosen;
  return oklch(Math.min(most, Math.max(least, lightness)), Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI);
}

/** Reads `#rrggbb`; undefined for anything else. */
export function fromHex(text: string): Rgb | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return undefined;
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function gamma(linear: number): number {
  const clipped = Math.min(1, Math.max(0, linear));
  const value = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(value * 255);
}

export function css(rgb: Rgb): string {
  return `rgb(${rgb[0]}, ${rgb[1]}, ${rgb[2]})`;
}

/** Mixes `share` of one colour with the rest of the other. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const channel = (i: 0 | 1 | 2) => Math.round(a[i] * share + b[i] * (1 - share));
  return [channel(0), channel(1), channel(2)];
}
