// Opens a built site from disk in a browser: node site/test/opens.mjs SITE CHROMIUM. Says what is wrong with it.
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { chromium } from '../../reading/viewer/node_modules/playwright-core/index.mjs';

const [site, executablePath] = process.argv.slice(2);
const start = pathToFileURL(path.join(site, 'recipes/deadlock.html')).href;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  page.setDefaultTimeout(120_000);
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('requestfailed', (request) => wrong.push(`not there: ${request.url()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) {
      wrong.push(`asks a server: ${request.url()}`);
    }
  });
  await page.goto(start);
  await page.keyboard.press('/');
  await page.keyboard.type('snapshot-when');
  await page.locator('#found a').first().waitFor();
  const first = await page.locator('#found a').first().getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href !== start);
  console.log(`found ${first}`);
  if (!(await page.locator('article').textContent()).includes('snapshot-when')) {
    wrong.push(`found a page without the word: ${page.url()}`);
  }
  await page.fill('#search', 'nothing-that-is-called-so');
  await page.getByText('Nothing found').waitFor();
  console.log(wrong.length === 0 ? 'all is well' : wrong.join('\n'));
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await browser.close();
}
