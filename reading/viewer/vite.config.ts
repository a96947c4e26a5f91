import { defineConfig } from 'vite';

// For `npm run dev` beside a running `kymo view --port 7070`; build/build.mjs says how the pages are built.
export default defineConfig({
  server: { proxy: { '/api': { target: 'http://127.0.0.1:7070', changeOrigin: true } } },
});
