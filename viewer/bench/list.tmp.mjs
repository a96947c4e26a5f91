import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
const [, , name, hash, out, width = '1600', scheme = 'light', act = ''] = process.argv;
const link = readFileSync(`/tmp/w/list-serve-${name}.log`, 'utf8').split('\n')[0];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await (await browser.newContext({ viewport: { width: Number(width), height: 800 }, colorScheme: scheme, reducedMotion: 'reduce' })).newPage();
page.on('pageerror', (e) => console.log('ERROR', e.message));
page.on('console', (l) => l.type() === 'error' && console.log('CONSOLE', l.text()));
await page.goto(link); await page.waitForURL((u) => !u.searchParams.has('token'));
await page.goto(page.url().replace(/#.*/, '') + '#' + hash); await page.reload();
await page.waitForSelector('.timeline[data-settled=true]'); await page.waitForTimeout(900);
if (act) { await eval(`(async () => { ${act} })()`); await page.waitForTimeout(900); }
await page.screenshot({ path: out });
console.log(page.url().replace(/.*#/, ''));
await browser.close();
