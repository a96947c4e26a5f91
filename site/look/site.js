// The search, the list of pages on small screens, and copying of command lines. Works from disk: nothing is fetched.
(() => {
  const up = document.body.dataset.up;
  const field = document.getElementById('search');
  const found = document.getElementById('found');
  let index;
  let chosen = -1;

  const script = (name) =>
    new Promise((done, failed) => {
      const element = document.createElement('script');
      element.src = up + name;
      element.onload = done;
      element.onerror = () => failed(new Error(`missing: ${name}`));
      document.head.append(element);
    });

  function load() {
    index ??= Promise.all([script('minisearch.js'), script('index.js')]).then(() => {
      const all = globalThis.kymoSections;
      const made = new globalThis.MiniSearch({
        fields: ['title', 'heading', 'text'],
        tokenize: (text) => text.split(/[^\p{L}\p{N}_-]+/u).flatMap((word) => [word, ...parts(word)]),
        searchOptions: {
          boost: { title: 3, heading: 4 },
          prefix: true,
          fuzzy: (word) => (word.length > 4 ? 0.2 : 0),
          combineWith: 'AND',
        },
      });
      made.addAll(all.map((section, id) => ({ id, ...section })));
      return (words) => made.search(words).slice(0, 12).map((hit) => all[hit.id]);
    });
    return index;
  }

  // --snapshot-on is found by "snapshot", too.
  const parts = (word) => (word.includes('-') ? word.split('-').filter(Boolean) : []);

  function excerpt(text, words) {
    const lower = text.toLowerCase();
    const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    const from = Math.max(0, Math.min(...places, text.length) - 40);
    return (from > 0 ? '… ' : '') + text.slice(places.length ? from : 0, (places.length ? from : 0) + 120);
  }

  function show(sections, words) {
    found.replaceChildren(
      ...sections.map((section, i) => {
        const item = document.createElement('li');
        item.id = `found-${i}`;
        item.role = 'option';
        const link = document.createElement('a');
        link.href = up + section.where;
        link.tabIndex = -1;
        const title = document.createElement('b');
        title.textContent = section.heading ? `${section.title} › ${section.heading}` : section.title;
        const text = document.createElement('span');
        text.textContent = excerpt(section.text, words);
        link.append(title, text);
        item.append(link);
        return item;
      }),
    );
    if (sections.length === 0) {
      const item = document.createElement('li');
      item.textContent = 'Nothing found';
      found.append(item);
    }
    choose(sections.length > 0 ? 0 : -1);
    open(true);
  }

  function choose(which) {
    chosen = which;
    [...found.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === which)));
    field.setAttribute('aria-activedescendant', which < 0 ? '' : `found-${which}`);
    found.children[which]?.scrollIntoView({ block: 'nearest' });
  }

  function open(shown) {
    found.hidden = !shown;
    field.setAttribute('aria-expanded', String(shown));
  }

  field.addEventListener('focus', () => void load());
  field.addEventListener('input', async () => {
    const asked = field.value.trim();
    if (!asked) {
      open(false);
      return;
    }
    const search = await load();
    if (asked === field.value.trim()) {
      show(search(asked), asked.toLowerCase().split(/\s+/));
    }
  });
  field.addEventListener('keydown', (event) => {
    const count = found.querySelectorAll('a').length;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (count) {
        choose((chosen + (event.key === 'ArrowDown' ? 1 : count - 1)) % count);
      }
    } else if (event.key === 'Enter' && !found.hidden) {
      found.children[chosen]?.querySelector('a')?.click();
      open(false);
    } else if (event.key === 'Escape') {
      open(false);
    }
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('search') || event.target.closest('#found a')) {
      open(false);
    }
  });

  const menu = document.getElementById('menu');
  menu.addEventListener('click', () => {
    const shown = document.body.classList.toggle('listing');
    menu.setAttribute('aria-expanded', String(shown));
  });
  // The list of a long page begins where the page is in it.
  document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' });

  for (const block of document.querySelectorAll('pre')) {
    block.tabIndex = 0;
    if (navigator.clipboard) {
      const copy = document.createElement('button');
      copy.textContent = 'Copy';
      copy.className = 'copy';
      copy.addEventListener('click', async () => {
        await navigator.clipboard.writeText(block.querySelector('code').textContent);
        copy.textContent = 'Copied';
        setTimeout(() => (copy.textContent = 'Copy'), 1500);
      });
      const frame = document.createElement('div');
      frame.className = 'block';
      block.replaceWith(frame);
      frame.append(block, copy);
    }
  }
})();
