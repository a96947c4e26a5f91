import { chromium, type BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';

const FLAGS = [
  'no-sandbox',
  'disable-gpu',
  'disable-quic',
  'no-first-run',
  'disable-background-networking',
  'disable-component-update',
  'disable-sync',
];

let server: BrowserServer | undefined;

/** One browser for all files: each test has a context of its own, as private windows have. */
export async function setup(project: TestProject): Promise<void> {
  const executablePath = process.env['KYMO_CHROMIUM'] ?? '/usr/bin/chromium';
  server = await chromium.launchServer({ executablePath, args: FLAGS.map((flag) => '--' + flag) });
  project.provide('browser', server.wsEndpoint());
}

export async function teardown(): Promise<void> {
  await server?.close();
}

declare module 'vitest' {
  export interface ProvidedContext {
    browser: string;
  }
}
