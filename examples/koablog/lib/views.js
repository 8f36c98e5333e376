'use strict';

// The pages, as HTML. All that somebody wrote is text, and stays text.

/** @type {Record<string, string>} */
const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** @param {string} text */
const escape = (text) => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter]);

const STYLE =
  'body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.05rem/1.6 Georgia,serif;color:#222}a{color:#06c}time{color:#777;font-size:.9rem}' +
  'input,textarea{width:100%;font:inherit;padding:.4rem;margin:.3rem 0 1rem;box-sizing:border-box}article p{white-space:pre-wrap;overflow-wrap:anywhere}';

/** @param {string} title @param {string} body */
const page = (title, body) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title><meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>
<body><nav><a href="/">All entries</a> · <a href="/new">Write one</a></nav>
${body}
</body></html>
`;

/** @param {string} at */
const time = (at) => `<time datetime="${escape(at)}">${escape(at.slice(0, 10))}</time>`;

/** @param {{id: number, title: string, at: string}[]} entries @param {number | null} older page of those that come next */
function list(entries, older) {
  const items = entries.map(({ id, title, at }) => `<li><a href="/entry/${id}">${escape(title)}</a> ${time(at)}</li>`).join('\n');
  const none = '<p>Nothing was written yet.</p>';
  const more = older === null ? '' : `<p><a href="/?page=${older}">Older entries</a></p>`;
  return page('Weblog', `<h1>Weblog</h1>\n${entries.length > 0 ? `<ul>\n${items}\n</ul>` : none}\n${more}`);
}

/** @param {{title: string, at: string}} about @param {string} text */
function entry({ title, at }, text) {
  const paragraphs = text.split(/\n{2,}/).map((part) => `<p>${escape(part)}</p>`).join('\n'); // prettier-ignore
  return page(title, `<article><h1>${escape(title)}</h1>\n${time(at)}\n${paragraphs}</article>`);
}

/** @param {string} problem @param {string} title @param {string} text */
function form(problem = '', title = '', text = '') {
  return page(
    'A new entry',
    `<h1>A new entry</h1>\n${problem && `<p role="alert">${escape(problem)}</p>`}
<form method="post" action="/new"><label>Title<input name="title" maxlength="200" required value="${escape(title)}"></label>
<label>Text<textarea name="text" rows="16" required>\n${escape(text)}</textarea></label><button>Publish</button></form>`,
  );
}

exports.list = list;
exports.entry = entry;
exports.form = form;
exports.problem = (/** @type {string} */ sentence) => page('Sorry', `<h1>Sorry</h1><p>${escape(sentence)}</p>`);
