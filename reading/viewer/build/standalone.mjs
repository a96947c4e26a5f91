// Puts all that a page loads into one file: the template of the pages that `kymo slice` and `kymo diff` write.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The page in one file, from the files of its build; the element `id` is where its data come. */
export function standalone(files, id) {
  const script = only(files, '.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const style = only(files, '.css');
  if (/<\/style/i.test(style)) throw new Error('standalone.mjs: the style sheet ends its element');
  const icon = 'data:image/svg+xml;base64,' + readFileSync('public/icon.svg').toString('base64');
  const policy =
    `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; ` +
    `base-uri 'none'; form-action 'none'`;

  let page = only(files, '.html');
  page = replaced(page, /<script type="module"[^>]*><\/script>\s*/, '');
  page = replaced(page, /<link rel="stylesheet"[^>]*>/, `<style>${style}</style>`);
  page = replaced(page, /<link rel="icon"[^>]*>/, `<link rel="icon" href="${icon}" type="image/svg+xml" />`);
  page = replaced(
    page,
    '<meta charset="utf-8" />',
    `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  );
  // The data come before the script, which looks for them at once.
  return replaced(
    page,
    '</body>',
    `  <script type="text/plain" id="${id}"><!--${id}--></script>\n    <script type="module">${script}</script>\n  </body>`,
  );
}

/** The only file of a build whose name ends like this. */
function only(files, kind) {
  const found = files.filter((file) => file.fileName.endsWith(kind));
  if (found.length !== 1) throw new Error(`standalone.mjs: ${found.length} files, not one: kind=${kind}`);
  return String(found[0].code ?? found[0].source);
}

/** Replaces what must be in the text exactly once; the new text is taken as it is. */
function replaced(text, what, by) {
  const parts = text.split(what);
  if (parts.length !== 2) throw new Error(`standalone.mjs: found ${parts.length - 1} times, not once: ${what}`);
  return parts.join(by);
}

function hash(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
