import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../src/base/address';
import { hash, oklch } from '../../src/base/colours';
import { hashColour, Hues } from '../../src/base/hues';
import { inWords, lossInWords } from '../../src/base/flags';
import { harmless } from '../../src/base/harmless';
import { actionOf, KEYS } from '../../src/base/keys';
import { signature } from '../../src/base/signature';

describe('address', () => {
  test('comes back as it was written', () => {
    const address = {
      from: 9_007_199_254_740_993n,
      to: 9_007_199_254_740_999n,
      open: [0, 3],
      selected: { track: 3, depth: 2, time: 9_007_199_254_740_995n },
      filter: 'a+b & c=%#<x>',
      theme: 'dark' as const,
    };
    expect(readAddress('#' + writeAddress(address))).toEqual(address);
  });

  test.each(['#from=5', '#from=9&to=3', '#open=x&call=1,2', '#call=1,2,3,4', '#from=-1&to=5', '#top=1', '#top=1,-2'])(
    'what is wrong is left out: %s',
    (text) => expect(readAddress(text)).toEqual({ open: [], filter: '' }),
  );

  test('that says nothing but the theme is that of who has just opened the recording', () => {
    for (const text of ['', '#', '#theme=pink'])
      expect(readAddress(text)).toEqual({ open: [], filter: '', first: true });
    expect(readAddress('#theme=dark')).toEqual({ open: [], filter: '', first: true, theme: 'dark' });
    // Whoever has chosen the whole recording, all folded, is to find that again.
    const whole = writeAddress({ open: [], filter: '', theme: 'dark' });
    expect(whole).toBe('view=whole&theme=dark');
    expect(readAddress('#' + whole)).toEqual({ open: [], filter: '', theme: 'dark' });
  });

  test('says how far one has scrolled, and what is folded', () => {
    const address = { open: [3], filter: '', top: { track: 7, pixels: 120 }, foldedIdle: [1] };
    expect(writeAddress(address)).toBe('open=3&top=7,120&fold-idle=1');
    expect(readAddress('#' + writeAddress(address))).toEqual(address);
  });
});

describe('colours', () => {
  const families = (of: 'package' | 'class' | 'method', ...names: string[]) => {
    const hues = new Hues();
    hues.adopt({ of, names, others: [] });
    return hues;
  };

  test('of a package alone are the same in every recording', () => {
    // Changing these changes what people remember: do it on purpose only.
    expect(hash('com.example.Shop')).toBe(1681742018);
    expect(families('package', 'com.example').method('com.example.Shop', 'order', 'light')).toEqual([243, 181, 109]);
    expect(hashColour('com.example.Shop', 'order', 'light')).toEqual([79, 189, 152]);
  });

  test('of packages are far apart, however many there are and whatever they are called', () => {
    for (let run = 0; run < 50; run++) {
      const names = Array.from({ length: 4 }, (_, i) => `org.run${run}.part${i}`);
      const hues = families('package', ...names);
      const colours = names.map((name) => hues.other(name, '', 'light'));
      for (let a = 0; a < 4; a++)
        for (let b = 0; b < a; b++) expect(distance(colours[a]!, colours[b]!), names.join()).toBeGreaterThan(60);
    }
  });

  test('of a sixteenth package is still another one', () => {
    const names = Array.from({ length: 16 }, (_, i) => `org.part${i}`);
    const hues = families('package', ...names);
    expect(new Set(names.map((name) => hues.other(name, '', 'light').join())).size).toBe(16);
    expect(() => families('package', ...Array.from({ length: 500 }, (_, i) => `p${i}`))).not.toThrow();
  });

  test('tell the methods of the only class apart', () => {
    const hues = families('method', 'main', 'read', 'write', 'close');
    const colours = ['main', 'read', 'write', 'close'].map((name) => hues.method('Only', name, 'light'));
    for (let a = 0; a < 4; a++)
      for (let b = 0; b < a; b++) expect(distance(colours[a]!, colours[b]!)).toBeGreaterThan(60);
  });

  test('of what was there before stay when a recording grows', () => {
    const hues = families('package', 'a', 'b');
    const before = hues.type('b.Type', 'dark');
    hues.adopt({ of: 'package', names: ['a', 'b', 'c', 'd'], others: ['disk'] });
    expect(hues.type('b.Type', 'dark')).toEqual(before);
  });

  test('of the JDK are grey', () => {
    for (const of of ['package', 'class', 'method'] as const) {
      const [r, g, b] = families(of).method('java.util.HashMap', 'put', 'light');
      expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(20);
    }
  });

  test.each(['light', 'dark'] as const)('are readable under text (%s)', (theme) => {
    const text = [16, 22, 31];
    const hues = new Hues();
    for (let i = 0; i < 300; i++) {
      expect(contrast(hues.method(`some.p${i % 20}.Type${i}`, 'm' + i, theme), text)).toBeGreaterThan(4.5);
    }
  });

  test('conversion knows white and black', () => {
    expect(oklch(1, 0, 0)).toEqual([255, 255, 255]);
    expect(oklch(0, 0, 0)).toEqual([0, 0, 0]);
  });
});

/** How far apart two colours are, 0 to 441. */
function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, i) => value - b[i]!));
}

function contrast(a: readonly number[], b: readonly number[]): number {
  const light = (rgb: readonly number[]) => {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05;
  };
  const [x, y] = [light(a), light(b)];
  return Math.max(x, y) / Math.min(x, y);
}

test('every key has one meaning', () => {
  const keys = KEYS.flatMap((key) => key.keys);
  expect(new Set(keys).size).toBe(keys.length);
  expect(actionOf({ key: 'W', shiftKey: true })).toBe('zoomIn');
  expect(actionOf({ key: 'ArrowLeft' })).toBe('left');
  expect(actionOf({ key: 'q' })).toBeUndefined();
});

test('flags are said in words', () => {
  expect(inWords(0)).toEqual([]);
  expect(inWords(1 | 8)).toEqual([
    'ended by an exception',
    'its leave is missing; the end is inferred from the call around it',
  ]);
});

test('losses are said in words', () => {
  expect(lossInWords(1, false)).toBe('1 event lost');
  expect(lossInWords(7, true)).toBe('at least 7 events lost');
  expect(lossInWords(0, true)).toBe('events lost, number unknown');
  expect(lossInWords(0, false)).toBe('events lost, counted with another thread');
});

test.each([
  ['()V', 'run(): void'],
  ['(I[J[[Ljava/util/Map$Entry;Z)[D', 'run(int, long[], Map.Entry[][], boolean): double[]'],
  ['nonsense', 'runnonsense'],
  ['(int, char const*) const', 'run(int, char const*) const'],
  ['+0x1139', 'run'],
  ['', 'run'],
])('descriptor %s', (descriptor, text) => expect(signature('run', descriptor)).toBe(text));

describe('texts of recorded programs', () => {
  test('show what would turn or end a line, or control, as in source', () => {
    for (const code of [0x1b, 0x7f, 0x85, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069]) {
      const digits = code.toString(16).padStart(4, '0');
      const shown = { name: `a\\u${digits}b` };
      expect(JSON.parse(harmless(JSON.stringify({ name: `a${String.fromCharCode(code)}b` })))).toEqual(shown);
      expect(JSON.parse(harmless(`{"name":"a\\u${digits.toUpperCase()}b"}`))).toEqual(shown);
    }
  });

  test('stay as they are otherwise', () => {
    const texts = ['', 'größe 名前 \u{1f600} "quoted" \\ \\\\u202e \n\t\r', '\\u202e', 'שלום'];
    expect(JSON.parse(harmless(JSON.stringify(texts)))).toEqual(texts);
  });
});
