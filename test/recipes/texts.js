'use strict';
/*
 * Texts that cases have in common: pages of Markdown, HTML and prose of a given length. In: a length in kB. Out: the same text for the same
 * length, always.
 */

/** @param {string} part @param {number} kB @returns {string} the part again and again, to that length, whole parts only */
function repeated(part, kB) {
  const times = Math.max(1, Math.round((kB * 1024) / part.length));
  return Array.from({ length: times }, (_, i) => part.replaceAll('@', String(i))).join('');
}

const MARKDOWN = `## Section @

Some *emphasis*, some **strong words**, \`code @\`, <name@example.com>, and a [link](https://example.com/page/@ "title @").
A second line with an image ![alt](/images/@.png) and <span class="raw">raw HTML</span> & an entity.

- first point of @
- second point, with \`code\`
  - nested point

1. one
2. two

> A quotation of @ that goes on
> over two lines.

| name | value |
| ---- | ----: |
| a@   | 1     |

\`\`\`js
const value = @; // a comment
\`\`\`

`;

const HTML = `<div class="row" id="row-@" onclick="alert(@)">
  <h2>Title @</h2><p style="color: red">Some <b>bold</b> and <i>italic</i> text &amp; an entity, <a href="https://example.com/@">a link</a>,
  <a href="javascript:alert(1)">another</a> and <img src="/images/@.png" alt="image" onerror="x()"></p>
  <script>alert(@)</script><ul><li>one</li><li>two <em>nested</em></li></ul>
</div>
`;

const PROSE = `The seventh runner of group @ was walking quickly through the gardens, and nobody had noticed it happening before. Relational operators, conditions
and generalizations are being considered by engineers; the cities' happiness is easily demonstrated. `;

const XML = `<item id="@" class="row">
  <title lang="en">Title of @ &amp; more</title>
  <price currency="EUR">@.50</price><empty/>
  <!-- a comment --><note><![CDATA[raw <b>text</b>]]></note>
</item>
`;

const CODE = `// Function @ of this file.
function compute@(first, second = 'text @') {
  const total = [1, 2, 3].map((value) => value * first + @).filter(Boolean);
  if (total.length > 0x@ && second !== null) return \`\${total.join(', ')} of \${second}\`;
  return /^[a-z]+@$/i.test(second) ? { first, second } : new Map([[@, first]]);
}

`;

/** A page of so many kB. */
exports.markdown = (/** @type {number} */ kB) => repeated(MARKDOWN, kB);
exports.html = (/** @type {number} */ kB) => repeated(HTML, kB);
exports.prose = (/** @type {number} */ kB) => repeated(PROSE, kB);
exports.xml = (/** @type {number} */ kB) => `<?xml version="1.0"?>\n<items>\n${repeated(XML, kB)}</items>\n`;
exports.code = (/** @type {number} */ kB) => repeated(CODE, kB);

/** Words in no order, which repeat as those of a language do: the shorter, the more often. */
exports.words = function words(/** @type {number} */ kB) {
  let text = '';
  for (let seed = 7; text.length < kB * 1024;) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    text += `${(seed >> 4).toString(36).slice(0, 1 + ((seed >> 20) % 5))} `;
  }
  return text;
};

/**
 * @param {readonly number[]} kBs the smallest first
 * @param {(kB: number) => string} text
 * @param {(text: string) => any[]} [toArgs] default: the text alone
 * @returns {import('./cases').Size[]}
 */
exports.sizes = (kBs, text, toArgs = (/** @type {string} */ one) => [one]) =>
  kBs.map((kB) => ({ input: `${kB} kB`, args: () => toArgs(text(kB)) }));
