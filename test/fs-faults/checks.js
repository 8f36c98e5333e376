'use strict';
/*
 * What must hold after a storm. In: what was seen. Out: sentences about what did not hold; none when all is well. The file system is closed
 * then, and its folder gone.
 */
const fs = require('node:fs');
const path = require('node:path');
const { remove } = require('../helpers/remove');
const { until } = require('../helpers/until');
const { idOf } = require('../../lib/fs/rendezvous');
const { isLinearizable } = require('./history');

/** All files below a folder with their contents, less the file system's own. */
function treeOf(folder, below = '') {
  return fs
    .readdirSync(path.join(folder, below), { withFileTypes: true })
    .filter(({ name }) => name !== '.ignis-fs')
    .flatMap((entry) => {
      const name = path.join(below, entry.name);
      if (entry.isDirectory()) return [[`${name}/`, ''], ...treeOf(folder, name)];
      const { mode, mtimeNs } = fs.statSync(path.join(folder, name), { bigint: true });
      return [[name, fs.readFileSync(path.join(folder, name), 'latin1'), Number(mode), mode === 0n ? 0 : Number(mtimeNs / 1000n)]];
    });
}

/** @returns {string[]} */
function missing(text, { acknowledged, maybe }) {
  const found = text.split('\n').filter((line) => line !== '');
  const lost = [...acknowledged].filter((id) => !found.includes(id)).map((id) => `the line ${id} was acknowledged, and is lost`);
  const doubled = found.filter((id, i) => found.indexOf(id) !== i).map((id) => `the line ${id} stands there twice`);
  const foreign = found.filter((id) => !acknowledged.has(id) && !maybe.has(id)).map((id) => `the line ${id} was refused, and is there`);
  return [...lost, ...doubled, ...foreign];
}

/** What a pointer says, without the secret. @returns {string | null} null: it is none */
function pointerOf(text) {
  return text.startsWith('Ignis: the contents of this file are in other folders')
    ? text.split('\n')[1].split(' ').slice(1).join(' ')
    : null;
}

/** Whether each file is in exactly so many folders, the same in all of them, and the others say where it is. @returns {string[]} */
function spreadProblems(folders, copies) {
  const trees = folders.map((folder) => new Map(treeOf(folder).map(([name, ...facts]) => [name, facts])));
  const names = trees.map((tree) => JSON.stringify([...tree.keys()]));
  if (new Set(names).size > 1) return [`the names differ: ${names.join(' and ')}`];
  return [...trees[0].keys()]
    .filter((name) => !name.endsWith('/'))
    .flatMap((name) => {
      const seen = trees.map((tree) => tree.get(name));
      const real = seen.filter(([text]) => pointerOf(text) === null);
      const holders = folders.filter((_, i) => pointerOf(seen[i][0]) === null).map(idOf);
      const said = `${real[0]?.[0].length} ${holders.sort().join()}`;
      const pointers = seen.map(([text]) => pointerOf(text)).filter((pointer) => pointer !== null);
      const states = new Set(seen.map(([, ...state]) => JSON.stringify(state)));
      return [
        ...(real.length === copies ? [] : [`${name} is in ${real.length} folders`]),
        ...(new Set(real.map(([text]) => text)).size === 1 ? [] : [`${name} differs: ${JSON.stringify(real)}`]),
        ...(states.size === 1 ? [] : [`mode or time of ${name} differ: ${[...states].join(' and ')}`]),
        ...pointers.filter((pointer) => sorted(pointer) !== said).map((pointer) => `${name}: a pointer says ${pointer}, and it is ${said}`),
      ];
    });
}

/** @param {string} pointer */
function sorted(pointer) {
  const [size, ids] = pointer.trim().split(' ');
  return `${size} ${ids.split(',').sort().join()}`;
}

async function checkStorm(mode, { root, courier, files, nodes, at, histories, lines }) {
  const problems = [];
  try {
    await until(
      async () => (await nodes()).every(({ state }) => state === (mode === 'strong' ? 'up' : 'serving')),
      'all nodes are back',
      60_000,
    );
    problems.push(...missing(await files.promises.readFile(at('log'), 'utf8'), lines));
    for (const [name, history] of Object.entries(histories)) {
      const last = { kind: 'read', value: await files.promises.readFile(at(name), 'utf8'), began: 1e9, ended: 1e9 + 1 };
      if (mode === 'strong' && !isLinearizable([...history, last], 'first'))
        problems.push(`the history of ${name} has no order: ${JSON.stringify([...history, last])}`);
      const written = ['first', ...history.filter(({ kind }) => kind === 'write').map(({ value }) => value)];
      for (const { kind, value } of [...history, last])
        if (kind === 'read' && !written.includes(value)) problems.push(`${name} held ${JSON.stringify(value)}, which nobody wrote`);
    }
    if (mode !== 'strong') {
      const head = Math.max(...(await nodes()).map(({ applied }) => applied));
      await until(async () => (await nodes()).every(({ applied }) => applied === head), 'all holders have applied all', 60_000);
      const folders = (await nodes()).map(({ folder }) => folder);
      if (mode === 'spread') return spreadProblems(folders, 2).concat(problems);
      const [one, ...others] = folders.map((folder) => JSON.stringify(treeOf(folder)));
      for (const other of others) if (other !== one) problems.push(`two copies differ: ${one} and ${other}`);
    }
  } finally {
    await courier.close();
    await remove(root);
  }
  return problems;
}

exports.checkStorm = checkStorm;
exports.spreadProblems = spreadProblems;
exports.treeOf = treeOf;
