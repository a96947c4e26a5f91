/**
 * Measures how regularly the browser draws while the view zooms and pans over a recording:
 * `npm run frames -- URL [ROUNDS]`. Frame times are those between the browser's own animation
 * frames, in headless Chromium with software rendering.
 */
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
  'disable-frame-rate-limit',
  'disable-gpu-vsync',
];
const STEPS = 180;

/** The input of each frame; the page makes the events, because sending them would take longer than a frame. */
const WAYS = [
  { name: 'zoom by wheel', type: 'wheel', event: (i, n) => ({ deltaY: i < n / 2 ? -14 : 14, clientX: 800 }) },
  { name: 'pan by wheel', type: 'wheel', event: (i, n) => ({ deltaX: i < n / 2 ? 6 : -6, clientX: 800 }) },
  {
    name: 'pan by dragging',
    type: 'pointermove',
    event: (i, n) => ({ clientX: i < n / 2 ? 800 - 5 * i : 800 - 5 * (n - i) }),
  },
];

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Milliseconds between the frames that the browser drew during an action, from its own trace. */
async function frames(browser, page, work) {
  await browser.startTracing(page, {
    categories: ['devtools.timeline.frame', 'disabled-by-default-devtools.timeline.frame'],
  });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString());
  const drawn = trace.traceEvents.filter((event) => event.name === 'DrawFrame').map((event) => event.ts / 1000);
  drawn.sort((a, b) => a - b);
  return drawn.slice(1).map((time, i) => time - drawn[i]);
}

function report(name, deltas, busy) {
  const sorted = [...deltas].sort((a, b) => a - b);
  // Frames come every 16.67 ms; the clock's resolution of 0.1 ms must not make a punctual one late.
  const late = deltas.filter((delta) => delta > 16.8).length / deltas.length;
  const [median, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(sorted, share).toFixed(1));
  const facts = [`frames=${deltas.length}`, `median_ms=${median}`, `p95_ms=${p95}`, `p99_ms=${p99}`];
  facts.push(`over_16.7=${(late * 100).toFixed(1)}%`, `main_thread_ms=${((busy * 1000) / deltas.length).toFixed(1)}`);
  console.log(name.padEnd(28) + facts.map((fact) => fact.padEnd(15)).join(' '));
}

/** Seconds that the page's main thread was busy so far. */
async function busySeconds(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'TaskDuration').value;
}

/** Sends the events of one action, one per frame. */
function perform(page, way) {
  const events = Array.from({ length: STEPS }, (_, i) => ({
    clientY: 320,
    bubbles: true,
    cancelable: true,
    pointerId: 1,
    ...way.event(i, STEPS),
  }));
  return page.evaluate(
    ([type, list]) =>
      new Promise((done) => {
        const target = document.querySelector('.axis');
        const step = () => {
          const next = list.shift();
          if (!next) return done();
          target.dispatchEvent(type === 'wheel' ? new WheelEvent(type, next) : new PointerEvent(type, next));
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    [way.type, events],
  );
}

async function walk(browser, page, session, hash, way, rounds) {
  const deltas = [];
  let busy = 0;
  const dragging = way.name.includes('dragging');
  for (let round = 0; round < rounds; round++) {
    await page.evaluate((hash) => (location.hash = hash), hash);
    await page.mouse.move(800, 320);
    await page.waitForTimeout(600);
    if (dragging) await page.mouse.down();
    const before = await busySeconds(session);
    const measured = await frames(browser, page, () => perform(page, way));
    busy += (await busySeconds(session)) - before;
    if (dragging) await page.mouse.up();
    deltas.push(...measured);
  }
  return { deltas, busy };
}

/**
 * The quarter of the recording with the most calls, as the server reports them: empty rows would be too easy to draw.
 */
async function busiest(url) {
  const { duration, tracks } = await (await asker(url))('api/recording');
  const end = Number(duration);
  const from = tracks.map((track) => Number(track.begin)).filter((begin) => begin < end * 0.75);
  const lived = (at) =>
    tracks.reduce(
      (sum, t) => sum + Math.max(0, Math.min(Number(t.end), at + end / 4) - Math.max(Number(t.begin), at)),
      0,
    );
  const best = from.reduce((a, b) => (lived(b) > lived(a) ? b : a), 0);
  return [Math.floor(best), Math.floor(best + end / 4)];
}

async function measure(url, rounds) {
  const executablePath = process.env['KYMO_CHROMIUM'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: FLAGS.map((flag) => '--' + flag) });
  try {
    const page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const [from, to] = await busiest(url);
    const window = `from=${from}&to=${to}`;
    const all = { deltas: [], busy: 0 };
    for (const threads of ['folded', 'unfolded']) {
      const hash = `#${window}` + (threads === 'folded' ? '' : '&open=' + Array.from({ length: 64 }, (_, i) => i + 1));
      await page.goto('about:blank');
      await page.goto(url + hash);
      await page.waitForSelector('.timeline[data-settled=true]');
      for (const way of WAYS) {
        const { deltas, busy } = await walk(browser, page, session, hash, way, rounds);
        report(`${way.name}, ${threads}`, deltas, busy);
        all.deltas.push(...deltas);
        all.busy += busy;
      }
    }
    report('all', all.deltas, all.busy);
  } finally {
    await browser.close();
  }
}

const [url, rounds] = process.argv.slice(2);
if (!url) {
  console.error('Usage: npm run frames -- URL [ROUNDS]');
  process.exit(2);
}
await measure(url, Number(rounds ?? 3));
