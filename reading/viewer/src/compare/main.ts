import { harmless } from '../base/harmless';
import { Coupling } from './coupling';
import { readMessage, written } from '../base/window-message';
import './compare.css';

/** Several recordings one above the other, each in its own viewer, on coupled time axes. */
async function show(page: HTMLElement): Promise<void> {
  const answer = await fetch('api/recordings', { cache: 'no-store' });
  const { recordings } = JSON.parse(harmless(await answer.text())) as { recordings: readonly string[] };
  document.title = `${recordings.join(', ')} – Kymo`;
  const coupling = new Coupling(recordings.length);
  page.append(bar(coupling, recordings));
  const frames = recordings.map((name, i) => {
    const frame = document.createElement('iframe');
    frame.src = `${i + 1}/`;
    frame.title = `${i + 1}: ${name}`;
    page.append(frame);
    return frame;
  });
  addEventListener('message', (event) => {
    const index = frames.findIndex((frame) => frame.contentWindow === event.source);
    const window = readMessage(event, location.origin);
    if (index < 0 || !window) return;
    for (const [other, goal] of coupling.moved(index, window)) {
      frames[other]!.contentWindow?.postMessage(written(goal), location.origin);
    }
  });
}

function bar(coupling: Coupling, recordings: readonly string[]): HTMLElement {
  const made = document.createElement('header');
  const names = document.createElement('h1');
  names.textContent = recordings.map((name, i) => `${i + 1} ${name}`).join('   ');
  const button = document.createElement('button');
  const say = () => {
    button.textContent = coupling.coupled ? 'Time axes coupled' : 'Time axes apart';
    button.setAttribute('aria-pressed', String(coupling.coupled));
    button.title = coupling.coupled ? 'Move each by itself' : 'Move all together, as far apart as they are now';
  };
  button.addEventListener('click', () => {
    coupling.toggle();
    say();
  });
  say();
  made.append(names, button);
  return made;
}

const page = document.getElementById('page')!;
show(page).catch(() => {
  const sorry = document.createElement('p');
  sorry.setAttribute('role', 'alert');
  sorry.textContent = 'The server does not answer: was “kymo view” stopped? Reload this page when it runs again.';
  page.append(sorry);
});
