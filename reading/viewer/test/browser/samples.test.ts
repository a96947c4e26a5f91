import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, plain, Screen, url } from './driver';

/** The recording that the server module's `SampledProgram` writes. */
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe('a program that was sampled', () => {
  let screen: Screen;
  beforeAll(async () => {
    screen = await Screen.open(browser, url('SAMPLES'));
  });
  afterAll(async () => {
    expect(screen.problems).toEqual([]);
    await screen.close();
  });

  /** The flame graph with this view; the box is said in words when it is reached by keys. */
  const open = async (view: string) => {
    await screen.go('view=whole');
    await screen.go(`panel=flame&${view}`);
    await screen.page.waitForFunction(() => !document.querySelector('.panel progress'));
    await screen.settle();
  };
  const said = async (...keys: string[]) => {
    await screen.page.locator('.flame').focus();
    await screen.key(...keys);
    return plain(await screen.text('.flame-said'));
  };
  const kind = (name: string) => screen.page.getByRole('button', { name });
  const settled = async (hash: RegExp) => {
    await screen.page.waitForURL(hash);
    await screen.page.waitForFunction(() => !document.querySelector('.panel progress'));
    await screen.settle();
  };

  test('has a flame graph of samples', async () => {
    await open('');
    expect(await said('ArrowUp')).toBe('a.B.main: 109 samples (100 %), self 9 samples');
    expect(await said('ArrowDown')).toBe('a.B.run: 100 samples (92 %), self 25 samples');
    expect(await said('ArrowDown')).toBe('a.C.sum: 75 samples (69 %), self 75 samples');
    expect(await screen.text('.counted-note')).toBe('1 without a stack');
    await open('inverted=true');
    expect(await said('ArrowUp')).toBe('a.C.sum: self 75 samples (69 %)');
    expect(await said('ArrowDown')).toBe('a.B.run: called C.sum in 75 samples of its own (69 %)');
  });

  test('finds methods in it, and zooms', async () => {
    await open('');
    await screen.page.locator('.flame-find').fill('sum');
    await screen.settle();
    expect(await screen.text('.flame-matched')).toBe('69 %: 75 samples in 1 box of 1 method');
    await screen.page.locator('.flame-find').fill('');
    await said('ArrowUp', 'ArrowDown', 'Enter');
    await expect
      .poll(() => screen.page.locator('.tools').getByRole('button', { name: 'Zoom out' }).isEnabled())
      .toBe(true);
  });

  test('looks at the selected time and threads', async () => {
    await open('sel=100000000,200000000&sel-tracks=1');
    expect(await said('ArrowUp')).toBe('a.B.main: 2 samples (100 %), self 2 samples');
    await open('from=100000000&to=200000000&follow=true');
    await expect.poll(() => said('ArrowUp')).toMatch(/^a\.B\.main: 13 samples/);
    await open('sel=1,2');
    expect(await screen.text('.flame .grid-empty')).toBe('No sample in this selection.');
  });

  test('shows the kinds that are chosen, and what they weigh', async () => {
    await open('');
    expect(await kind('ExecutionSample').innerText()).toBe('ExecutionSample 110');
    await kind('A 10').click();
    await settled(/samples=jdk\.ExecutionSample&samples=jdk\.A/);
    await kind('ExecutionSample').click();
    await settled(/flame(?!.*ExecutionSample).*samples=jdk\.A$/);
    expect(await said('ArrowUp')).toBe('a.B.main: 10 samples (100 %), self 0 samples');
    await screen.page.getByLabel('What the width of a box is').selectOption('bytes');
    await settled(/unit=bytes/);
    expect(await said('ArrowUp')).toBe('a.B.main: 10.0 KiB (100 %), self 0 bytes, 10 samples');
    const address = screen.page.url();
    await screen.page.reload();
    await screen.settle();
    await expect.poll(() => said('ArrowUp')).toBe('a.B.main: 10.0 KiB (100 %), self 0 bytes, 10 samples');
    expect(screen.page.url()).toBe(address);
  });

  test('has its calls, too', async () => {
    await open('');
    await screen.page.getByLabel('What the graph is made of').selectOption('calls');
    await settled(/flame=calls/);
    expect(await said('ArrowUp')).toBe('a.D.called: 1.001 s (100 %), self 1.001 s, 1 call');
    await open('flame=samples');
    expect(await said('ArrowUp')).toContain('109 samples');
  });

  test('shows the stack of a sample that is selected', async () => {
    await screen.go('view=whole');
    await screen.go('events=0,30000000,30000000');
    await screen.page.locator('.stack').waitFor();
    const frames = screen.page.locator('.stack li');
    expect((await frames.allInnerTexts()).map(plain)).toEqual(['a.C.sum', 'a.B.run', 'a.B.main']);
    await frames.nth(1).getByRole('button').click();
    await screen.page.waitForURL(/method=\d/);
    await screen.go('events=0,30000000,40000000');
    await screen.page.getByText('Stack of 2 methods').click();
    expect(await screen.page.locator('details[open] li').count()).toBe(2);
  });
});

test('a page without a server has no flame graph of samples', async () => {
  const screen = await Screen.open(browser, 'file://' + process.env['KYMO_SAMPLES_PAGE']);
  await screen.go('panel=flame');
  await screen.page.locator('.flame').waitFor();
  expect(await screen.page.getByRole('group', { name: 'Kinds of samples' }).count()).toBe(0);
  expect(await screen.page.getByLabel('What the graph is made of').count()).toBe(0);
  expect(screen.problems).toEqual([]);
  await screen.close();
});
