'use strict';

// json-server: a REST interface over a file of JSON. Its job: records are made, found, sorted, changed and deleted, and stand in the file.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { answerOf } = require('./answer.js');

const POSTS = 200;

function records() {
  const posts = Array.from({ length: POSTS }, (_, i) => ({ id: i + 1, title: `title ${(i * 37) % POSTS}`, author: `author ${i % 7}` }));
  const comments = posts.flatMap(({ id }) => [0, 1, 2].map((n) => ({ id: id * 3 + n, postId: id, body: `comment ${n} on ${id}` })));
  return { posts, comments };
}

/** @param {string} url */
async function check(url) {
  assert.equal((await answerOf(`${url}/posts`)).length, POSTS);
  const made = await answerOf(`${url}/posts`, { method: 'POST', body: { title: 'new', author: 'me' }, status: 201 });
  assert.deepEqual(made, { title: 'new', author: 'me', id: POSTS + 1 });
  const at = `${url}/posts/${made.id}`;
  assert.equal((await answerOf(at, { method: 'PATCH', body: { title: 'changed' } })).title, 'changed');
  assert.deepEqual(await answerOf(`${url}/posts?author=me`), [{ title: 'changed', author: 'me', id: made.id }]);
  await answerOf(at, { method: 'PUT', body: { title: 'put' } });
  assert.deepEqual(await answerOf(at), { title: 'put', id: made.id });
  await answerOf(at, { method: 'DELETE' });
  await answerOf(at, { status: 404 });
  const sorted = await answerOf(`${url}/posts?_sort=title&_order=asc&_limit=3`);
  assert.deepEqual(
    sorted.map((/** @type {any} */ { title }) => title),
    ['title 0', 'title 1', 'title 10'],
  );
  assert.equal((await answerOf(`${url}/posts/7?_embed=comments`)).comments.length, 3);
}

/** @type {import('./list.js').App} */
const APP = {
  name: 'json-server',
  version: '0.17.4',
  what: 'a REST interface over a file, on Express',
  main: 'json-server/lib/cli/bin.js',
  ready: '/posts/1',
  layOut: ({ folder, port }) => {
    const file = path.join(folder, 'db.json');
    fs.writeFileSync(file, JSON.stringify(records()));
    return { args: ['--host', '127.0.0.1', '--port', String(port), '--quiet', file] };
  },
  check,
  requests: [{ path: '/posts?_sort=title&_page=3&_limit=10' }, { path: '/posts/7?_embed=comments' }],
};

exports.APP = APP;
