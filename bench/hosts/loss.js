'use strict';

// A host is lost in the middle of a load: killed, stopped with its replicas, or cut off.
// In: how, and two places. Out: calls that failed, and how long it took until there were as many replicas again.
// The program is a process of its own, which is this file too: it says 'ready' when both hosts serve, is told when it happened, and ends
// when all is well again.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const readline = require('node:readline');

const CLIENTS = 8;
const REPLICAS = 2;
const LOAD_MS = 1000;
const LOOK_MS = 10;

/**
 * @param {'killed' | 'stopped' | 'cut off'} how
 * @param {import('./places').Place[]} places
 * @returns {Promise<Record<string, number>>}
 */
async function lose(how, places) {
  const { Daemons } = require('./daemons');
  const daemons = await Daemons.start(places.slice(0, 2), REPLICAS);
  const child = spawn(process.execPath, [__filename, JSON.stringify(daemons.nodes)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, IGNIS_IDENTITY: daemons.keys('home'), IGNIS_QUIET: '1' },
  });
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await lines.next();
    if (how === 'killed') daemons.signal(0, 'SIGKILL');
    else if (how === 'stopped') daemons.signal(0, 'SIGSTOP');
    else places[0].cut?.(true);
    child.stdin.write('struck\n');
    const { value, done } = await lines.next();
    if (done) throw new Error('the program whose host was lost ended');
    return JSON.parse(value);
  } finally {
    if (how === 'stopped') daemons.signal(0, 'SIGCONT');
    if (how === 'cut off') places[0].cut?.(false);
    if (child.exitCode === null) {
      child.stdin.end();
      await once(child, 'exit');
    }
    await daemons.end();
  }
}

/** The program. @param {{name: string}[]} nodes */
async function main(nodes) {
  const ignis = require('../../lib/index');
  const echo = /** @type {any} */ (ignis())('./echo/echo.js', {
    call: 'await',
    pure: true,
    where: 'host',
    nodes,
    copies: REPLICAS,
    sched: 'rr',
  });
  const ready = () =>
    ignis
      .report()
      .replicas.filter(({ state }) => state === 'ready')
      .map(({ where }) => where);
  const until = async (/** @type {() => boolean} */ isSo) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  };
  await until(() => nodes.every(({ name }) => ready().some((where) => where.includes(name))));
  let [answered, failed, isOver] = [0, 0, false];
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const sent = answered + failed;
      const isRight = await echo.echo(sent).then(
        (/** @type {any} */ back) => back === sent,
        () => false,
      );
      if (isRight) answered += 1;
      else failed += 1;
    }
  });
  await new Promise((resolve) => setTimeout(resolve, LOAD_MS));
  const input = readline.createInterface({ input: process.stdin });
  const struck = once(input, 'line');
  console.log('ready');
  await struck;
  const begun = performance.now();
  const before = answered;
  await until(() => ready().length === REPLICAS && ready().every((where) => !where.includes(nodes[0].name)));
  const ms = performance.now() - begun;
  await new Promise((resolve) => setTimeout(resolve, LOAD_MS));
  isOver = true;
  await Promise.all(clients);
  console.log(JSON.stringify({ 'failed calls': failed, 'placed anew': ms, 'calls answered': answered - before }));
  input.close();
  await ignis.close();
}

if (require.main === module) void main(JSON.parse(process.argv[2]));

exports.lose = lose;
