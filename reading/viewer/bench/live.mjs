// How far the page lags while it follows a recording, and whether its memory stays flat.
// Arguments: address of a viewer that follows a growing recording, seconds.
import { chromium } from 'playwright-core';
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
const [address, seconds] = [process.argv[2], Number(process.argv[3] ?? 60)];
const browser = await chromium.launch({
  executablePath: process.env.KYMO_CHROMIUM ?? '/usr/bin/chromium',
  args: FLAGS.map((flag) => '--' + flag),
});
const page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
const debug = await page.context().newCDPSession(page);
const wallBegin = BigInt((await (await asker(address))('api/recording')).wallBegin);

const late = [];
page.on('requestfinished', (request) => {
  const to = new URL(request.url()).searchParams.get('to');
  if (!to || !request.url().includes('api/window')) return;
  // New data are on the screen with the next frame, at most 17 ms later.
  late.push(Date.now() - Number((wallBegin + BigInt(to)) / 1_000_000n) + 17);
});

async function heap() {
  await debug.send('HeapProfiler.collectGarbage');
  const { usedSize } = await debug.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

await page.goto(address);
await page.waitForSelector('.timeline[data-settled]');
await page.waitForTimeout(3000);
late.length = 0;
const heaps = [];
for (let i = 0; i <= 10; i++) {
  heaps.push((await heap()).toFixed(1));
  if (i < 10) await page.waitForTimeout(seconds * 100);
}
late.sort((a, b) => a - b);
const share = (part) => late[Math.min(late.length - 1, Math.floor(late.length * part))];
console.log(`windows=${late.length} behind_ms median=${share(0.5)} p95=${share(0.95)} max=${share(1)}`);
console.log(`page_heap_MB=${heaps.join(' ')}`);
await browser.close();
