'use strict';
/*
 * Names of built-ins that ES modules import, which are live: `module.syncBuiltinESMExports()` gives them the values that the built-in's own exports have got since (a test that put its own in the place of
 * `crypto.randomUUID`). In: what was handed out for a built-in. Out: the same handed out anew when the program has called that. It stays for as long as the process, as the modules do that were handed something.
 */
const Module = require('node:module');
const { imitate } = require('../wrap/imitate');

/** @type {(() => void)[]} */
const followers = [];

/**
 * @param {import('./es-edges').Given} given of an edge to a built-in
 * @param {any} namespace
 * @param {any[]} handed for its names; who put another value there gets that as it is
 * @param {import('./es-edges').Fill} fill
 */
function followNames({ names }, namespace, handed, fill) {
  const first = names.map((name) => namespace[name]);
  if (followers.length === 0) patch();
  followers.push(() => fill(names.map((name, i) => (namespace[name] === first[i] ? handed[i] : namespace[name]))));
}

function patch() {
  const sync = Module.syncBuiltinESMExports;
  Module.syncBuiltinESMExports = imitate(
    /** @this {any} */ function () {
      const answer = Reflect.apply(sync, this, arguments);
      for (const follow of followers) follow();
      return answer;
    },
    sync,
  );
  // This name is one of a built-in, too.
  sync();
}

exports.followNames = followNames;
