'use strict';

// Preloaded where packages are counted: at SIGUSR2 the process leaves a list of the files it has loaded. In: APPS_LOADED, a file. Out: that
// file. V8 knows all scripts, those of ES modules too, which `require.cache` does not have.

const fs = require('node:fs');
const { Session } = require('node:inspector');

process.on('SIGUSR2', () => {
  /** @type {Set<string>} */
  const urls = new Set();
  const session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => urls.add(params.url));
  session.post('Debugger.enable');
  session.disconnect();
  const file = String(process.env.APPS_LOADED);
  fs.writeFileSync(`${file}.part`, JSON.stringify([...urls]));
  fs.renameSync(`${file}.part`, file);
});
