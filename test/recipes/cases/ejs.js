'use strict';

const path = require('node:path');

const template = `<h1><%= title %></h1>
<% for (const row of rows) { %>
<p class="<%= row.odd ? 'odd' : 'even' %>"><%= row.name %>: <%- row.html %></p>
<% } %>`;

/** @param {number} rows */
const data = (rows) => ({
  title: 'A <page>',
  rows: Array.from({ length: rows }, (_, i) => ({ name: `row ${i} & more`, html: `<b>${i}</b>`, odd: i % 2 === 1 })),
});

const shows = {
  function: 'render',
  args: () => [`<%- include(${JSON.stringify(path.join(__dirname, '..', 'packages', 'package.json'))}) %>`],
};

/** @type {import('../cases').Cases} */
module.exports = {
  functions: { render: [1, 50, 1000].map((rows) => ({ input: `${rows} rows`, args: () => [template, data(rows)] })) },
  wrong: [{ function: 'render', args: () => ['<% nothing.there %>', {}] }],
  setup: {
    fileLoader: { write: (ejs) => (ejs.fileLoader = () => 'loaded'), shows, staysHome: true },
    resolveInclude: {
      write: (ejs) => (ejs.resolveInclude = (/** @type {string} */ name) => ((ejs.fileLoader = () => name), name)),
      shows,
      staysHome: true,
    },
  },
};
