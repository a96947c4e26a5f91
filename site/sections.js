const ENTITIES = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };

const plain = (html) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|quot|amp|#39);/g, (_, name) => ENTITIES[name])
    .replace(/\s+/g, ' ')
    .trim();

/** The sections of a page, from one heading to the next, as the search has them: where, title, heading, text. */
export function sections(page, html) {
  const article = html.slice(html.indexOf('<article>'), html.indexOf('</article>'));
  const title = plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(article)?.[1] ?? page);
  return article.split(/(?=<h[1-4] id=)/).flatMap((part) => {
    const heading = /^<h([1-4]) id="([^"]*)"[^>]*>(.*?)<\/h\1>/s.exec(part);
    if (!heading) {
      return [];
    }
    const [all, level, id, text] = heading;
    const where = level === '1' ? `${page}.html` : `${page}.html#${id}`;
    return [{ where, title, heading: level === '1' ? '' : plain(text), text: plain(part.slice(all.length)) }];
  });
}
