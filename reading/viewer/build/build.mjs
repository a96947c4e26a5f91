// Builds the pages into dist: the viewer, the page that compares recordings; in one file the viewer for `kymo slice` and
// the page for `kymo diff`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'vite';
import { standalone } from './standalone.mjs';

const DIST = 'dist';

/** Builds one page; each has a script of its own, so that the viewer's fits into a single file. */
async function page(name, input, copyPublicDir) {
  const { output } = await build({
    configFile: false,
    logLevel: 'warn',
    base: './',
    build: {
      target: 'es2023',
      outDir: DIST,
      emptyOutDir: false,
      copyPublicDir,
      // The page's policy allows no inline script and no data: code.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // The same names at every build: the jar is made of the last build, and of nothing older.
      rolldownOptions: {
        input: { [name]: input },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
      },
    },
  });
  return output;
}

rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST);
const [viewer, differences] = await Promise.all([
  page('viewer', 'index.html', true),
  page('differences', 'difference-page.html', false),
  page('compare', 'compare.html', false),
]);
writeFileSync(`${DIST}/standalone.html`, standalone(viewer, 'recording'));
writeFileSync(`${DIST}/difference-page.html`, standalone(differences, 'differences'));
for (const file of differences) if (/\.(js|css)$/.test(file.fileName)) rmSync(`${DIST}/${file.fileName}`);
