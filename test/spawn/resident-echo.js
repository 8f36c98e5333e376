'use strict';
// Stands in for what serves in a replica: answers each message as it is told to. Used by resident.test.js and bench/block.js.

/** What a message may ask for instead of an echo. @type {Record<string, (line: any, args: any[], load: Function) => void>} */
const WORDS = {
  exit: (_line, [code]) => process.exit(code),
  throw() {
    throw new Error('thrown in the replica');
  },
  spin() {
    for (;;);
  },
  compute(line, [ms]) {
    for (const until = performance.now() + ms; performance.now() < until;);
    line.post(['computed']);
  },
  wait: (line, [ms]) => {
    line.receive(ms);
  },
  console: (line, [text]) => {
    console.log(text);
    console.error(text);
    line.post(['written']);
  },
  grow() {
    const all = [];
    for (;;) all.push(new Array(1e5).fill({}));
  },
  self: (line) =>
    line.post([process.pid, process.argv.slice(1), Object.keys(process.env).filter((name) => name.startsWith('IGNIS_AGENT'))]),
  load: (line, [place], load) => line.post([Object.keys(load({ kind: 'file', name: place, place, argv: process.argv.slice(1) }))]),
};

/** @param {any} line @param {{load: Function}} own */
function serve(line, { load }) {
  line.onMessage = (/** @type {any[]} */ message) => {
    const [word, ...args] = message;
    if (typeof word === 'string' && Object.hasOwn(WORDS, word)) WORDS[word](line, args, load);
    else line.post(message);
  };
}

exports.serve = serve;
