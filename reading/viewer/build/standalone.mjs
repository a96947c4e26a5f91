// Builds the page once more with everything it loads in one file: the template of the pages that `kymo slice` writes.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'vite';

const { output } = await build({
  configFile: false,
  logLevel: 'warn',
  base: './',
  build: { target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0, write: false },
});

/** What the build has of a kind; it must be one. */
function only(kind) {
  const found = output.filter((file) => file.fileName.endsWith(kind));
  if (found.length !== 1) throw new Error(`standalone.mjs: ${found.length} files, not one: kind=${kind}`);
  return String(found[0].code ?? found[0].source);
}

/** Replaces what must be there exactly once; the new text is taken as it is. */
function replaced(text, what, by) {
  const parts = text.split(what);
  if (parts.length !== 2) throw new Error(`standalone.mjs: found ${parts.length - 1} times, not once: ${what}`);
  return parts.join(by);
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const script = only('.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const style = only('.css');
if (/<\/style/i.test(style)) throw new Error('standalone.mjs: the style sheet ends its element');
const icon = 'data:image/svg+xml;base64,' + readFileSync('public/icon.svg').toString('base64');
const policy =
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; ` +
  `base-uri 'none'; form-action 'none'`;

let page = only('.html');
page = replaced(page, /<script type="module"[^>]*><\/script>\s*/, '');
page = replaced(page, /<link rel="stylesheet"[^>]*>/, `<style>${style}</style>`);
page = replaced(page, /<link rel="icon"[^>]*>/, `<link rel="icon" href="${icon}" type="image/svg+xml" />`);
page = replaced(
  page,
  '<meta charset="utf-8" />',
  `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
);
// The data stand before the script: it looks for them at once.
page = replaced(
  page,
  '</body>',
  `  <script type="text/plain" id="recording"><!--recording--></script>\n    <script type="module">${script}</script>\n  </body>`,
);
writeFileSync('dist/standalone.html', page);
