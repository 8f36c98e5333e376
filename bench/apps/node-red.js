'use strict';

// Node-RED: flows of nodes, put together in an editor. Its job: a flow is deployed over its API, and answers HTTP requests; the editor is
// served.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { answerOf, eventually } = require('./answer.js');

/** A request comes in, a function counts words, a template makes the answer. */
const FLOWS = [
  { id: 'f1', type: 'tab', label: 'words', disabled: false, info: '' },
  { id: 'n1', z: 'f1', type: 'http in', name: '', url: '/words', method: 'get', upload: false, wires: [['n2']] },
  {
    id: 'n2',
    z: 'f1',
    type: 'function',
    name: 'count',
    func: 'const words = msg.req.query.text.split(" ");\nmsg.payload = { words: words.length, longest: words.sort((a, b) => b.length - a.length)[0] };\nreturn msg;',
    outputs: 1,
    libs: [],
    wires: [['n3']],
  },
  {
    id: 'n3',
    z: 'f1',
    type: 'template',
    name: '',
    field: 'payload',
    fieldType: 'msg',
    format: 'handlebars',
    syntax: 'mustache',
    template: '{{payload.words}} words, {{payload.longest}} is the longest',
    output: 'str',
    wires: [['n4']],
  },
  { id: 'n4', z: 'f1', type: 'http response', name: '', statusCode: '200', headers: {}, wires: [] },
];

const ASKED = '/words?text=one+module+is+saturated';

/** @param {number} port */
const settings = (port) => `module.exports = {
  uiHost: '127.0.0.1',
  uiPort: ${port},
  flowFile: 'flows.json',
  credentialSecret: false,
  telemetry: { enabled: false },
  logging: { console: { level: 'warn' } },
};
`;

/** @param {string} url */
async function check(url) {
  const { version } = await answerOf(`${url}/settings`);
  assert.equal(version, APP.version);
  const { rev } = await answerOf(`${url}/flows`, { method: 'POST', body: { flows: FLOWS }, headers: { 'Node-RED-API-Version': 'v2' } });
  assert.equal(typeof rev, 'string');
  assert.equal(await eventually(() => answerOf(url + ASKED)), '4 words, saturated is the longest');
  const { flows } = await answerOf(`${url}/flows`, { headers: { 'Node-RED-API-Version': 'v2' } });
  assert.equal(flows.length, FLOWS.length);
  assert.match(await answerOf(`${url}/`), /<title>Node-RED<\/title>/);
  await answerOf(`${url}/words-of-nobody`, { status: 404 });
}

/** @type {import('./list.js').App} */
const APP = {
  name: 'node-red',
  version: '4.1.2',
  what: 'flows of nodes, with an editor, on Express',
  main: 'node-red/red.js',
  ready: '/settings',
  layOut: ({ folder, port }) => {
    const file = path.join(folder, 'settings.js');
    fs.writeFileSync(file, settings(port));
    return { args: ['--settings', file, '--userDir', folder] };
  },
  check,
  requests: [{ path: ASKED }],
};

exports.APP = APP;
