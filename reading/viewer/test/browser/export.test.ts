import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { css } from '../../src/base/colours';
import { contentOf, launch, plain, Screen, url } from './driver';
import { methodColour, MS, QUERY } from './known';

const PATIENCE = 60_000;

let browser: Browser;
let screen: Screen;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
afterEach(async () => {
  expect(screen.problems).toEqual([]);
  await screen.close();
});

/** Chooses a form in the menu; returns the name and content of the file. */
async function kept(form: string): Promise<{ name: string; content: Buffer }> {
  const download = screen.page.waitForEvent('download', { timeout: PATIENCE });
  await screen.page.locator('.export-menu .choice', { hasText: form }).click();
  const file = await download;
  return { name: file.suggestedFilename(), content: await contentOf(file) };
}

describe('pictures of what is in sight', () => {
  test('a PNG has the colours of the calls', async () => {
    screen = await Screen.open(browser, url('SHOP') + '#open=0');
    await screen.key('Shift+E');
    const { name, content } = await kept('PNG');
    expect(name).toBe('shop.png');
    const { width, height, found } = await screen.page.evaluate(
      async ([data, wanted]) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext('2d')!;
        context.drawImage(image, 0, 0);
        const pixels = context.getImageData(0, 0, image.width, image.height).data;
        let found = 0;
        for (let i = 0; i < pixels.length; i += 4)
          if (`rgb(${pixels[i]}, ${pixels[i + 1]}, ${pixels[i + 2]})` === wanted) found++;
        return { width: image.width, height: image.height, found };
      },
      [content.toString('base64'), css(methodColour(...QUERY, 'light'))] as const,
    );
    const axis = await screen.axis();
    expect(width).toBe(2 * (260 + axis.width));
    expect(height).toBeGreaterThan(300);
    // A tenth of the axis and a call's height, at twice the size; its name covers some of it.
    expect(found).toBeGreaterThan(0.2 * axis.width * 10);
  });

  test('an SVG has the names as texts and the calls as areas', async () => {
    screen = await Screen.open(browser, url('SHOP') + '#open=0');
    await screen.key('Shift+E');
    const { name, content } = await kept('SVG');
    const text = content.toString();
    expect(name).toBe('shop.svg');
    expect(text).toContain('>Db.query</text>');
    expect(text).toContain('>main</text>');
    expect(text).toContain('>shop.kymo</text>');
    const [red, green, blue] = methodColour(...QUERY, 'light');
    const colour = '#' + [red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('');
    expect(text).toContain(`<path fill="${colour}"`);
    const broken = await screen.page.evaluate(
      (svg) => new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')?.textContent ?? '',
      text,
    );
    expect(broken).toBe('');
    expect(text).not.toContain('<img');
  });

  test('a recording that is not on disk offers no parts', async () => {
    screen = await Screen.open(browser, url('SHOP'));
    await screen.key('Shift+E');
    expect(
      await screen.page
        .locator('.export-menu .choice')
        .allInnerTexts()
        .then((all) => all.map((one) => one.split(/\s/)[0])),
    ).toEqual(['PNG', 'SVG', 'CSV']);
  });
});

describe('parts of the recording', () => {
  test('the selected time of the selected threads is a page that shows it', async () => {
    screen = await Screen.open(browser, url('WAITING') + `#sel=${500n * MS},${900n * MS}&sel-tracks=1`);
    await screen.key('Shift+E');
    expect(plain(await screen.text('.export-menu'))).toContain('400.0 ms of 1 selected thread');
    expect(plain(await screen.text('.export-menu'))).toContain('Command lines of processes are in both.');
    const { name, content } = await kept('Page');
    expect(name).toBe('waiting-part.html');
    expect(content.toString()).toContain('<title>waiting-part.kymo – Kymo</title>');
    await expect.poll(() => screen.text('.export-said'), { timeout: PATIENCE }).toBe('waiting-part.html is there.');
    const folder = mkdtempSync(join(tmpdir(), 'kymo-part-'));
    try {
      writeFileSync(join(folder, 'part.html'), content);
      await screen.close();
      screen = await Screen.open(browser, 'file://' + join(folder, 'part.html'));
      // As the whole recording tells them.
      const window = plain((await screen.page.locator('.minimap .frame').getAttribute('aria-valuetext'))!);
      expect(window).toMatch(/^5\d\d(\.\d+)?( \d+)* ms to [89]\d\d(\.\d+)?( \d+)* ms$/);
      await screen.key('Shift+E');
      expect(await screen.page.locator('.export-menu .spans').count()).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('the time in sight is a recording, zipped', async () => {
    screen = await Screen.open(browser, url('WAITING') + `#from=${500n * MS}&to=${900n * MS}`);
    await screen.page.locator('button[aria-label=Export]').click();
    const { name, content } = await kept('Recording');
    expect(name).toBe('waiting-part.kymo.zip');
    expect(content.subarray(0, 2).toString()).toBe('PK');
    expect(content.includes('waiting-part.kymo/metadata')).toBe(true);
  });
});

test('the open table is a CSV file', async () => {
  screen = await Screen.open(browser, url('SHOP') + '#panel=summary');
  await screen.page.waitForSelector('.panel [role=row] >> nth=1');
  await screen.key('Shift+E');
  const { content } = await kept('CSV');
  expect(content.toString()).toContain('org.base.Db');
});

test('the right button leads to the export of a call’s time', async () => {
  screen = await Screen.open(browser, url('SHOP') + '#open=0');
  await screen.page.mouse.click(await screen.xOf(650n * MS, 0n, 1000n * MS), await screen.bandY(0, 2), {
    button: 'right',
  });
  await screen.page.locator('.context-menu').getByText('Export its time …').click();
  await screen.page.waitForSelector('.export-menu:popover-open');
  await expect.poll(() => screen.hash()).toContain(`sel=${600n * MS},${700n * MS}`);
});
