import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    target: 'es2023',
    // The page's policy allows no inline script and no data: code.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The same names at every build: the jar is made of what was built last, and of nothing older.
    rolldownOptions: {
      input: { viewer: 'index.html', compare: 'compare.html' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
  // For `npm run dev` beside a running `kymo view --port 7070`.
  server: { proxy: { '/api': { target: 'http://127.0.0.1:7070', changeOrigin: true } } },
});
