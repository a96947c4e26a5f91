import { defineConfig } from 'vitest/config';

// Started by the server module's tests, which serve a recording of known calls and say where.
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: 'test/browser/browser.ts',
    // Ends what hangs; a busy machine takes ten times as long as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Files look at recordings of their own, or at ones that nobody changes.
    maxWorkers: 2,
    expect: { poll: { timeout: 60_000 } },
    // A shared machine may stall a browser for seconds. What fails three times is broken.
    retry: 2,
  },
});
