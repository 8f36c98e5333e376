'use strict';

// verdaccio: a registry of packages. Its job: somebody signs up, publishes a package, finds it, and gets back the bytes that were sent.

const assert = require('node:assert/strict');
const { createHash, randomBytes } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { answerOf } = require('./answer.js');

const NAME = 'sample-package';
const VERSION = '1.2.3';

/** @param {string} folder @returns {string} no other registry is asked, anybody may sign up */
function configuration(folder) {
  return `storage: ${JSON.stringify(path.join(folder, 'storage'))}
auth:
  htpasswd:
    file: ${JSON.stringify(path.join(folder, 'htpasswd'))}
uplinks: {}
packages:
  '**':
    access: $all
    publish: $authenticated
log: { type: stdout, format: pretty, level: fatal }
`;
}

/** @param {string} url @param {Buffer} tarball */
function publication(url, tarball) {
  const file = `${NAME}-${VERSION}.tgz`;
  const dist = { shasum: createHash('sha1').update(tarball).digest('hex'), tarball: `${url}/${NAME}/-/${file}` };
  return {
    _id: NAME,
    name: NAME,
    description: 'a package for a benchmark',
    'dist-tags': { latest: VERSION },
    versions: { [VERSION]: { name: NAME, version: VERSION, description: 'a package for a benchmark', main: 'index.js', dist } },
    _attachments: { [file]: { content_type: 'application/octet-stream', data: tarball.toString('base64'), length: tarball.length } },
  };
}

/** @param {string} url */
async function check(url) {
  assert.deepEqual(await answerOf(`${url}/-/ping`), {});
  const user = { name: 'somebody', password: 'a password', email: 'somebody@example.org', type: 'user', roles: [] };
  const { token } = await answerOf(`${url}/-/user/org.couchdb.user:somebody`, { method: 'PUT', body: user, status: 201 });
  const tarball = randomBytes(20000);
  const headers = { authorization: `Bearer ${token}` };
  await answerOf(`${url}/${NAME}`, { method: 'PUT', body: publication(url, tarball), headers, status: 201 });
  const { versions, 'dist-tags': tags } = await answerOf(`${url}/${NAME}`);
  assert.deepEqual([Object.keys(versions), tags.latest], [[VERSION], VERSION]);
  const got = Buffer.from(await (await fetch(versions[VERSION].dist.tarball)).arrayBuffer());
  assert.ok(got.equals(tarball), 'the tarball comes back as it was sent');
  const { objects } = await answerOf(`${url}/-/v1/search?text=sample`);
  assert.deepEqual(
    objects.map((/** @type {any} */ one) => one.package.name),
    [NAME],
  );
  await answerOf(`${url}/${NAME}`, { method: 'PUT', body: publication(url, tarball), status: 401 });
  await answerOf(`${url}/no-such-package`, { status: 404 });
}

/** @type {import('./list.js').App} */
const APP = {
  name: 'verdaccio',
  version: '6.0.5',
  what: 'a registry of packages, on Express',
  main: 'verdaccio/bin/verdaccio',
  overrides: { 'node-fetch': '2.6.7' },
  ready: '/-/ping',
  layOut: ({ folder, port }) => {
    const config = path.join(folder, 'config.yaml');
    fs.writeFileSync(config, configuration(folder));
    return { args: ['--config', config, '--listen', `127.0.0.1:${port}`] };
  },
  check,
  requests: [{ path: `/${NAME}` }, { path: '/-/ping' }],
};

exports.APP = APP;
