// How the pages of docs/, the generated reference and the measurements become a site that opens from disk.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import anchor from 'markdown-it-anchor';
import { contents } from './contents.js';
import { sections } from './sections.js';

const reference = process.env.KYMO_REFERENCE;
const measurements = 'testing/bench/README.md';
const name = (result) => (result.url === '/' ? 'index' : result.url.replace(/^\/|\.html$/g, ''));
const listed = contents.flatMap((part) => part.pages);

// As on the pages that host the source, so that links lead to the same places in both.
const slugify = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

// Where a link of a page leads in the site; null = to a file of the source, which the site does not have.
function target(page, link) {
  if (/^[a-z]+:|^#/.test(link)) {
    return link;
  }
  const [file, place] = link.split('#');
  const found = path.join(path.dirname(source(page)), file);
  const to = found === measurements ? 'measurements' : path.relative('docs', found).replace(/\.md$/, '');
  if (file.endsWith('.md') && (listed.includes(to) || to.startsWith('reference/'))) {
    const from = path.dirname(page);
    return `${path.relative(from, to)}.html${place ? `#${place}` : ''}`;
  }
  if (!existsSync(found)) {
    throw new Error(`no such file: page=${source(page)} link=${link}`);
  }
  return to.startsWith('images/') ? link : null;
}

const source = (page) => (page === 'measurements' ? measurements : `docs/${page}.md`);

function follow(markdown) {
  markdown.core.ruler.push('links', (state) => {
    const page = state.env.page.filePathStem.slice(1);
    for (const line of state.tokens.filter((token) => token.type === 'inline')) {
      const open = [];
      for (const token of line.children) {
        if (token.type === 'link_open') {
          const to = target(page, token.attrGet('href'));
          open.push(to);
          if (to === null) {
            token.tag = 'span';
            token.attrs = [['title', `${token.attrGet('href')} in the source`]];
          } else {
            token.attrSet('href', to);
          }
        } else if (token.type === 'link_close' && open.pop() === null) {
          token.tag = 'span';
        }
      }
    }
  });
}

export default function (eleventy) {
  eleventy.setUseGitIgnore(false);
  eleventy.addGlobalData('layout', 'page.11ty.js');
  eleventy.addGlobalData('permalink', () => (data) => `${data.page.filePathStem.slice(1)}.html`);
  eleventy.addPassthroughCopy({ 'docs/images': 'images', 'site/look/site.css': 'site.css', 'site/look/site.js': 'site.js' });
  eleventy.addPassthroughCopy({ 'site/node_modules/minisearch/dist/umd/index.js': 'minisearch.js' });
  eleventy.addPassthroughCopy({ 'reading/viewer/public/icon.svg': 'icon.svg' });
  for (const file of readdirSync(reference)) {
    eleventy.addTemplate(`reference/${file}`, readFileSync(path.join(reference, file), 'utf8'), {});
  }
  eleventy.addTemplate('measurements.md', readFileSync(measurements, 'utf8'), {});
  eleventy.amendLibrary('md', (markdown) => {
    // Indented blocks are command lines and outputs, as everywhere in docs/.
    markdown.enable('code').use(anchor, { slugify, permalink: anchor.permalink.headerLink() }).use(follow);
  });
  eleventy.on('eleventy.after', ({ results, directories }) => {
    const made = results.map(name);
    const forgotten = made.filter((page) => !listed.includes(page) && !page.startsWith('reference/'));
    const missing = listed.filter((page) => !made.includes(page));
    if (forgotten.length + missing.length > 0) {
      throw new Error(`site/contents.js and the pages differ: forgotten=${forgotten} missing=${missing}`);
    }
    const order = (page) => (listed.indexOf(page) + listed.length + 1) % (listed.length + 1);
    const all = results
      .map((result) => ({ page: name(result), html: result.content }))
      .sort((a, b) => order(a.page) - order(b.page) || (a.page < b.page ? -1 : 1))
      .flatMap(({ page, html }) => sections(page, html));
    writeFileSync(path.join(directories.output, 'index.js'), `globalThis.kymoSections = ${JSON.stringify(all)};\n`);
  });
  return {
    dir: { input: 'docs', includes: '../site/look', output: process.env.KYMO_SITE },
    markdownTemplateEngine: false,
    templateFormats: ['md'],
  };
}
