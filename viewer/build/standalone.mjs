// Puts everything the page loads into one file: the template of the pages that `kymo slice` writes.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const read = (name) => readFileSync(`dist/${name}`, 'utf8');
const source = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Replaces what must be there exactly once; the new text is taken as it is. */
function replaced(text, what, by) {
  const parts = text.split(what);
  if (parts.length !== 2) throw new Error(`standalone.mjs: found ${parts.length - 1} times, not once: ${what}`);
  return parts.join(by);
}

const script = read('viewer.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const style = read('viewer.css');
if (/<\/style/i.test(style)) throw new Error('standalone.mjs: the style sheet ends its element');
const icon = 'data:image/svg+xml;base64,' + Buffer.from(read('icon.svg')).toString('base64');
const policy =
  `default-src 'none'; script-src ${source(script)}; style-src ${source(style)}; img-src data:; ` +
  `base-uri 'none'; form-action 'none'`;

let page = read('index.html');
const scriptTag = /<script type="module"[^>]*><\/script>\s*/.exec(page)?.[0];
const styleTag = /<link rel="stylesheet"[^>]*>/.exec(page)?.[0];
const iconTag = /<link rel="icon"[^>]*>/.exec(page)?.[0];
page = replaced(page, scriptTag, '');
page = replaced(page, styleTag, `<style>${style}</style>`);
page = replaced(page, iconTag, `<link rel="icon" href="${icon}" type="image/svg+xml" />`);
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
