import { contents } from '../contents.js';

const heading = (html) => /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1].replace(/<[^>]*>/g, '');

/** The frame of each page: what there is on the left, the search above it, the page. */
export default function ({ content, page, collections }) {
  const here = page.filePathStem.slice(1);
  const up = '../'.repeat(here.split('/').length - 1);
  const title = heading(content) ?? here;
  const titles = new Map(collections.all.map((each) => [each.filePathStem.slice(1), each]));
  const name = (stem) => names.get(stem) ?? firstLine(titles.get(stem));
  const link = (stem) =>
    `<li><a href="${up}${stem}.html"${stem === here ? ' aria-current="page"' : ''}>${name(stem)}</a></li>`;
  const part = ({ title: of, pages }) => `<h2>${of}</h2><ul>${pages.map(link).join('')}</ul>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'Kymo' ? 'Kymo' : `${title} - Kymo`}</title>
<link rel="icon" href="${up}icon.svg">
<link rel="stylesheet" href="${up}site.css">
<script src="${up}site.js" defer></script>
</head>
<body data-up="${up}">
<a class="skip" href="#page">To the page</a>
<header>
<a class="home" href="${up}index.html"><img src="${up}icon.svg" alt="" width="24" height="24">Kymo</a>
<search><label for="search" class="unseen">Search</label>
<input id="search" type="search" placeholder="Search  /" autocomplete="off" role="combobox" aria-expanded="false"
 aria-controls="found"><ol id="found" role="listbox" hidden></ol></search>
<button id="menu" aria-expanded="false" aria-controls="contents">Contents</button>
</header>
<nav id="contents" aria-label="Contents">${contents.map(part).join('\n')}</nav>
<main id="page" tabindex="-1"><article>
${content}
</article></main>
</body>
</html>
`;
}

// Where the first line of a page, up to a colon, does not say in a list what the page is about.
const names = new Map([
  ['start', 'Start in five minutes'],
  ['waits', 'Waits, and the Java VM'],
  ['threads', 'Threads and locks'],
  ['messages', 'Messages'],
  ['kernel-daemon', 'The kernel daemon'],
  ['format/spec', 'The format'],
  ['format/changelog', 'Versions of the format'],
  ['measurements', 'Measurements'],
]);

const firstLine = (page) => /^# ([^:\n]*)/m.exec(page?.rawInput ?? '')?.[1] ?? '';
