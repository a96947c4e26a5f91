// Takes the pictures of docs/viewer.md from a viewer with the demo's recording:
//   ./kymo demo --no-browser &   node reading/viewer/bench/pictures.mjs LINK
// LINK is the printed link with its token;
// the picture of waiting comes from the recording that the server's tests serve, by ServeKnownRecordings contending
// 18081:
//   node reading/viewer/bench/pictures.mjs - LINK
// the picture of the kernel likewise, by ServeKnownRecordings kernel 18082:
//   node reading/viewer/bench/pictures.mjs - - LINK
// and the picture of a program's own events, by ServeKnownRecordings own 18083:
//   node reading/viewer/bench/pictures.mjs - - - LINK
import { chromium } from 'playwright-core';
import { fileURLToPath } from 'node:url';
import { asker } from './link.mjs';

const FLAGS = [
  'no-sandbox',
  'disable-gpu',
  'disable-quic',
  'no-first-run',
  'disable-background-networking',
  'disable-component-update',
  'disable-sync',
];
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const [address, waiting, kernel, own] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.KYMO_CHROMIUM ?? '/usr/bin/chromium',
  args: FLAGS.map((flag) => '--' + flag),
});

async function picture(name, hash, scheme, prepare = async () => {}, from = address) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 780 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(name, error.message));
  await page.goto(from + hash);
  await page.waitForSelector('.timeline[data-settled=true]');
  await prepare(page);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `${folder}${name}.png` });
  await context.close();
}

if (address !== '-') await ofDemo();
if (waiting && waiting !== '-') {
  await picture(
    'waiting',
    '#from=400000000&to=2400000000&open=1&call=10,0,1200000000',
    'light',
    async () => {},
    waiting,
  );
  await picture('locks', '#panel=locks&arrows=none', 'light', async () => {}, waiting);
  await picture(
    'critical-path',
    '#from=1900000000&to=4000000000&arrows=none&top=0,0&call=0,1,2100000000&panel=path&path=0,2000000000,3900000000',
    'light',
    async () => {},
    waiting,
  );
}
if (kernel && kernel !== '-') {
  await picture('kernel', '#open=5&call=5,1,100000000', 'light', async () => {}, kernel);
  await picture('threads', '#panel=threads&arrows=none', 'light', async () => {}, kernel);
}
if (own) {
  await picture('own-events', '#open=1&events=0,300000000,300000000', 'light', async () => {}, own);
}
await browser.close();

async function ofDemo() {
  const { duration, tracks } = await (await asker(address))('api/recording');
  const at = (share) => String((BigInt(duration) * BigInt(Math.round(share * 1000))) / 1000n);
  const clerk = tracks.find((track) => track.name.startsWith('clerk'));
  const sales = `#from=${at(0.8)}&to=${duration}&open=${clerk.id}&fold-jvm=${clerk.process}&fold-idle=${clerk.process}`;
  const tab = (title) => async (page) => {
    if ((await page.locator('.panel').count()) === 0) await page.keyboard.press('p');
    await page.locator(`[role=tab]:has-text("${title}")`).click();
  };

  await picture('timeline', sales, 'light');
  await picture('dark', sales, 'dark');
  for (const title of ['Summary', 'Categories', 'Call tree', 'Callers', 'Flame graph', 'Events']) {
    await picture(title.toLowerCase().replace(' ', '-'), sales, 'light', tab(title));
  }
  await picture('durations', sales, 'light', async (page) => {
    await tab('Summary')(page);
    await page.getByPlaceholder('Filter: text').fill('TransactionStore.commit');
    await page.locator('.panel [role=row]', { hasText: 'TransactionStore.commit' }).first().click();
    await tab('Durations')(page);
  });
  await picture('butterfly', sales, 'light', async (page) => {
    await tab('Summary')(page);
    await page.getByPlaceholder('Filter: text').fill('TransactionStore.commit');
    await page.locator('.panel [role=row]', { hasText: 'TransactionStore.commit' }).first().click();
    await tab('Butterfly')(page);
  });
  await picture('search', sales, 'light', async (page) => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('store.*commit');
    await page.waitForSelector('.search-box output:has-text("calls of")');
    await page.keyboard.press('Enter');
    await page.locator('.search-box button[aria-label="List of all calls found"]').click();
    await page.waitForSelector('.grid-row');
  });
  await picture('palette', sales, 'light', async (page) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zoom');
  });
  await picture('help', sales, 'light', (page) => page.keyboard.press('?'));
}
