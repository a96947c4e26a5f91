import { buffer } from 'node:stream/consumers';
import { chromium, type Browser, type Download, type Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Rgb } from '../../src/base/colours';
import { type Families, Hues } from '../../src/base/hues';

/** Geometry of the page, independent of the code that draws it. */
export const WIDTH = 1300;
export const HEIGHT = 800;
export const CALL_HEIGHT = 19;
export const ROW_PADDING = 4;

/** The browser that all files share; closing it ends what this file has opened in it. */
export function launch(): Promise<Browser> {
  return chromium.connect(inject('browser'));
}

export function url(
  name:
    | 'SHOP'
    | 'CROWD'
    | 'BUSY'
    | 'KEPT'
    | 'TWO'
    | 'CHANGED'
    | 'WAITING'
    | 'KERNEL'
    | 'KERNEL_EVENTS'
    | 'OWN'
    | 'POINTS'
    | 'SAMPLES',
): string {
  const uri = process.env['KYMO_' + name];
  if (!uri) throw new Error(`KYMO_${name} is not set: run these tests by Maven, in module server`);
  return uri;
}

/** A recording that was not opened yet: each try of a test has its own. */
export function freshUrl(name: 'GROWING' | 'READING', tries: number): string {
  const links = (process.env['KYMO_' + name] ?? '').split(' ').filter(Boolean);
  const link = links[tries];
  if (!link) throw new Error(`KYMO_${name} has ${links.length} links: run these tests by Maven, in module server`);
  return link;
}

/** What a file has that the page gave to keep. */
export async function contentOf(file: Download): Promise<Buffer> {
  return buffer(await file.createReadStream());
}

/** A page with the picture as a reader sees it: positions and colours. */
export class Screen {
  readonly problems: string[] = [];

  private constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') this.problems.push(line.text());
    });
  }

  /** The whole recording with folded threads, unless the address sets another view. */
  static async open(browser: Browser, address: string, scheme: 'light' | 'dark' = 'light'): Promise<Screen> {
    return Screen.openFirst(browser, address.includes('#') ? address : address + '#view=whole', scheme);
  }

  /** The first view of a recording, unless the address sets another one. */
  static async openFirst(browser: Browser, address: string, scheme: 'light' | 'dark' = 'light'): Promise<Screen> {
    const screen = await Screen.openFrames(browser, address, scheme);
    await screen.settle();
    return screen;
  }

  /** A page with its timelines in frames. */
  static async openFrames(browser: Browser, address: string, scheme: 'light' | 'dark' = 'light'): Promise<Screen> {
    const context = await browser.newContext({
      viewport: { width: WIDTH, height: HEIGHT },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    });
    const screen = new Screen(await context.newPage());
    await screen.enter(address);
    return screen;
  }

  /** Follows a link; the page that it leads to goes on to the picture, without the token. */
  async enter(address: string): Promise<void> {
    await this.page.goto(address);
    await this.page.waitForURL((now) => !now.searchParams.has('token'));
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  /** Waits until everything asked for is there and painted. */
  async settle(): Promise<void> {
    // After two frames, the last action has reached the page.
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await this.page.waitForSelector('.timeline[data-settled=true]');
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  async key(...names: string[]): Promise<void> {
    for (const name of names) await this.page.keyboard.press(name);
    await this.settle();
  }

  async go(hash: string): Promise<void> {
    // The event comes in a task of its own, which a busy machine may run after the next frames.
    await this.page.evaluate(
      (text) =>
        new Promise<void>((done) => {
          addEventListener('hashchange', () => done(), { once: true });
          if (location.hash === '#' + text) done();
          else location.hash = text;
        }),
      hash,
    );
    await this.settle();
  }

  /** The hues of what the server's recording has. */
  async hues(): Promise<Hues> {
    const families = await this.page.evaluate(
      async () => ((await (await fetch('api/recording')).json()) as { families: unknown }).families,
    );
    const hues = new Hues();
    hues.adopt(families as Families);
    return hues;
  }

  /** Where the calls are drawn. */
  async axis(): Promise<{ x: number; y: number; width: number; height: number }> {
    return (await this.page.locator('.axis').boundingBox())!;
  }

  /** Where a time is when the window is from..to. */
  async xOf(time: bigint, from: bigint, to: bigint): Promise<number> {
    const axis = await this.axis();
    return axis.x + (Number(time - from) / Number(to - from)) * axis.width;
  }

  async rowTop(track: number): Promise<number> {
    return (await this.page.locator(`[data-track="${track}"]`).boundingBox())!.y;
  }

  /** The middle of a depth's band in an unfolded thread, but below its text. */
  async bandY(track: number, depth: number): Promise<number> {
    return (await this.rowTop(track)) + ROW_PADDING + depth * CALL_HEIGHT + 2;
  }

  /** Colour of the calls' canvas at a point of the page, as soon as anything is painted there. */
  async colour(x: number, y: number): Promise<Rgb> {
    return this.page.evaluate(
      async ([px, py]) => {
        for (let frame = 0; ; frame++) {
          const canvas = document.querySelector<HTMLCanvasElement>('canvas.rows')!;
          const box = canvas.getBoundingClientRect();
          const data = canvas
            .getContext('2d')!
            .getImageData(Math.floor(px! - box.left), Math.floor(py! - box.top), 1, 1).data;
          if (data[3] !== 0 || frame === 90) return [data[0]!, data[1]!, data[2]!] as const;
          await new Promise((done) => requestAnimationFrame(done));
        }
      },
      [x, y],
    );
  }

  /** The colour drawn above the calls; black where there is nothing. */
  async overlayColour(x: number, y: number): Promise<Rgb> {
    return this.page.evaluate(
      ([px, py]) => {
        const canvas = document.querySelector<HTMLCanvasElement>('canvas.overlay')!;
        const box = canvas.getBoundingClientRect();
        const data = canvas
          .getContext('2d')!
          .getImageData(Math.floor(px! - box.left), Math.floor(py! - box.top), 1, 1).data;
        return [data[0]!, data[1]!, data[2]!] as const;
      },
      [x, y],
    );
  }

  /** All colours on a horizontal line of the canvas. */
  async colours(x0: number, x1: number, y: number): Promise<string[]> {
    return this.page.evaluate(
      ([from, to, py]) => {
        const canvas = document.querySelector<HTMLCanvasElement>('canvas.rows')!;
        const box = canvas.getBoundingClientRect();
        const width = Math.floor(to! - from!);
        const data = canvas
          .getContext('2d')!
          .getImageData(Math.floor(from! - box.left), Math.floor(py! - box.top), width, 1).data;
        return Array.from({ length: width }, (_, i) => data.slice(i * 4, i * 4 + 3).join());
      },
      [x0, x1, y],
    );
  }

  async hover(x: number, y: number): Promise<string> {
    await this.page.mouse.move(x, y);
    await this.settle();
    const tooltip = this.page.locator('.tooltip');
    return (await tooltip.count()) > 0 ? plain(await tooltip.innerText()) : '';
  }

  async click(x: number, y: number): Promise<void> {
    await this.page.mouse.click(x, y);
    await this.settle();
  }

  async text(selector: string): Promise<string> {
    return plain(await this.page.locator(selector).innerText());
  }

  hash(): Promise<string> {
    return this.page.evaluate(() => location.hash);
  }
}

/** Narrow spaces as plain ones. */
export function plain(text: string): string {
  return text.replaceAll('\u202f', ' ');
}
