import { defineConfig } from 'vitest/config';

// Started by the server module's tests, which serve a recording of known calls and say where.
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    fileParallelism: false,
    expect: { poll: { timeout: 10_000 } },
    // A shared machine may stall a browser for seconds. What fails three times is broken.
    retry: 2,
  },
});
