import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, plain, Screen, url } from './driver';

/** The recording that the server module's `InstructionProgram` writes. */
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe('a program whose instructions were recorded', () => {
  let screen: Screen;
  beforeAll(async () => {
    screen = await Screen.open(browser, url('POINTS'));
    await screen.go('view=whole&panel=points');
    await screen.page.locator('.grid-row').first().waitFor();
  });
  afterAll(async () => {
    expect(screen.problems).toEqual([]);
    await screen.close();
  });

  const rows = async () =>
    (await screen.page.locator('.grid-row').allInnerTexts()).map((text) => plain(text).replace(/\s*\n\s*/g, ' | '));
  const press = async (name: string, count: number) => {
    await screen.page.getByRole('button', { name, exact: true }).click();
    await screen.page.waitForFunction(
      (wanted) => document.querySelector('.row-count')?.textContent?.startsWith(String(wanted)),
      count,
    );
    await screen.settle();
  };
  const shown = (row: number) =>
    screen.page.locator(`.grid-row[aria-rowindex="${row + 1}"][aria-selected="true"]`).waitFor();

  /** The address bar follows a moment later. */
  const called = (call: RegExp) => screen.page.waitForURL(call);

  test('has a list of its irregular points, each with what is known', async () => {
    expect(await screen.text('.row-count')).toBe('15 rows');
    expect((await rows())[5]).toBe('6 | 9 ns | thread-1 | fault | SIGSEGV | 0x1000+0x7 | 0x1007');
  });

  test('lists the kinds that are chosen', async () => {
    await press('fault 2', 2);
    await press('unmatched return 2', 4);
    expect((await rows()).map((row) => row.split(' | ').slice(2, 5))).toEqual([
      ['thread-1', 'fault', 'SIGSEGV'],
      ['thread-1', 'unmatched return', 'to 0x2000+0x10'],
      ['thread-2', 'fault', 'SIGSEGV'],
      ['thread-2', 'unmatched return', 'to 0x2000+0x10'],
    ]);
  });

  test('goes to the point that is clicked, and from there to the next and the previous one', async () => {
    await screen.page.locator('.grid-row').nth(1).click();
    await shown(2);
    await called(/call=0,3,16\b/);
    await screen.key('j');
    await shown(3);
    await called(/call=1,3,1009\b/);
    await screen.key('Shift+J');
    await screen.key('Shift+J');
    await shown(1);
    await called(/call=0,\d,9\b/);
    await screen.page.getByRole('button', { name: 'Next point' }).click();
    await shown(2);
  });

  test('says which function was not executed', async () => {
    const field = screen.page.getByLabel('Critical functions');
    await field.fill('nobody');
    await field.press('Enter');
    await screen.page.getByText('no function of this name was executed: nobody').waitFor();
    screen.problems.length = 0; // the browser reports the refusal, too
  });
});

test('a page without a server has no list of points', async () => {
  const screen = await Screen.open(browser, 'file://' + process.env['KYMO_POINTS_PAGE']);
  await screen.key('p');
  await screen.page.locator('[role=tab]').first().waitFor();
  expect(await screen.page.getByRole('tab', { name: 'Irregular points' }).count()).toBe(0);
  await screen.close();
});
