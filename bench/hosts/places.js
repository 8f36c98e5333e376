'use strict';

// Where the hosts of the benchmark are: network namespaces of this machine, each behind a pair of virtual devices, or, where these cannot
// be made, addresses of loopback. In: how many, and a delay. Out: an address for each, how to start a program there, what could not be had,
// and a removal that leaves nothing, also when this process exits in between.

const { execFileSync } = require('node:child_process');

/**
 * @typedef {object} Place
 * @property {string} ip where it is reached
 * @property {(command: string, args: string[]) => [string, string[]]} within the command that runs a program there
 * @property {((isCut: boolean) => void) | null} cut takes its link down, or up again; null: it has none of its own
 *
 * @typedef {object} Places
 * @property {Place[]} list
 * @property {string} said what they are, for the reader of a figure
 * @property {() => void} remove
 */

/** @param {string} command @param {string[]} args */
const run = (command, ...args) => void execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });

/**
 * The range that RFC 2544 keeps for benchmarks; of it a corner that a second run does not have too.
 * @param {number} index @param {1 | 2} side 1: this one
 */
const address = (index, side) => `198.18.${process.pid % 256}.${4 * index + side}`;

/** @param {number} index */
const namesOf = (index) => {
  const mark = `ib${process.pid}h${index}`;
  return { space: `ignis-${mark}`, near: `${mark}a`, far: `${mark}b` };
};

/** @param {number} index @returns {Place} */
function makeSpace(index) {
  const { space, near, far } = namesOf(index);
  run('ip', 'netns', 'add', space);
  run('ip', 'link', 'add', near, 'type', 'veth', 'peer', 'name', far);
  run('ip', 'link', 'set', far, 'netns', space);
  run('ip', 'addr', 'add', `${address(index, 1)}/30`, 'dev', near);
  run('ip', 'link', 'set', near, 'up');
  for (const args of [
    ['addr', 'add', `${address(index, 2)}/30`, 'dev', far],
    ['link', 'set', far, 'up'],
    ['link', 'set', 'lo', 'up'],
  ])
    run('ip', '-n', space, ...args);
  return {
    ip: address(index, 2),
    within: (command, args) => ['ip', ['netns', 'exec', space, command, ...args]],
    cut: (isCut) => run('ip', 'link', 'set', near, isCut ? 'down' : 'up'),
  };
}

/** @param {number} index */
function removeSpace(index) {
  const { space, near } = namesOf(index);
  for (const args of [
    ['link', 'del', near],
    ['netns', 'del', space],
  ])
    try {
      run('ip', ...args);
    } catch {
      // It was never made, or has gone with the other.
    }
}

/** @param {number} count @param {number} delayMs each way @returns {string} '' or why there is none */
function delayAll(count, delayMs) {
  try {
    for (let index = 1; index <= count; index++) {
      const { space, near, far } = namesOf(index);
      run('tc', 'qdisc', 'add', 'dev', near, 'root', 'netem', 'delay', `${delayMs}ms`);
      run('tc', '-n', space, 'qdisc', 'add', 'dev', far, 'root', 'netem', 'delay', `${delayMs}ms`);
    }
    return '';
  } catch (error) {
    return reason(error);
  }
}

/** @param {unknown} error @returns {string} */
function reason(error) {
  const { code, stderr } = /** @type {any} */ (error);
  return code === 'ENOENT'
    ? 'the tool is not installed'
    : String(stderr ?? error)
        .trim()
        .split('\n')[0];
}

/** @param {string} ip @returns {Place} */
function onLoopback(ip) {
  return { ip, within: (command, args) => [command, args], cut: null };
}

/**
 * @param {number} count 1 to 60
 * @param {number} delayMs each way; 0: none
 * @returns {Places}
 */
function openPlaces(count, delayMs) {
  const indices = Array.from({ length: count }, (_, i) => i + 1);
  const remove = () => {
    process.removeListener('exit', remove);
    indices.forEach(removeSpace);
  };
  process.once('exit', remove);
  try {
    const list = indices.map(makeSpace);
    const why = delayMs === 0 ? '' : delayAll(count, delayMs);
    const delay = delayMs === 0 ? 'no delay' : why === '' ? `${delayMs} ms of delay each way` : `no delay (tc netem: ${why})`;
    return { list, said: `${count} network namespaces of this machine, ${delay}`, remove };
  } catch (error) {
    remove();
    const list = indices.map((index) => onLoopback(`127.0.0.${index + 1}`));
    return { list, said: `${count} addresses of loopback, no delay (ip netns: ${reason(error)})`, remove() {} };
  }
}

exports.onLoopback = onLoopback;
exports.openPlaces = openPlaces;
