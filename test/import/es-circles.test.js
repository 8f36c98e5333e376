'use strict';

const assert = require('node:assert/strict');
const { EsCircles } = require('../../lib/import/es-circles');
const { runLater, runNow } = require('../../lib/import/es-hooks');

/** @param {string} name */
const fileOf = (name) => `${__dirname}/graph/${name}.mjs`;
const urlOf = (name) => `file://${fileOf(name)}`;

/**
 * @param {Record<string, string[]>} graph who imports whom
 * @param {() => any} [pause] what each look at a source waits for
 */
function circlesOf(graph, pause) {
  const looks = [];
  const ahead = {
    *surfaceAt(url) {
      const name = url.slice(urlOf('').length - '.mjs'.length, -'.mjs'.length);
      looks.push(name);
      if (pause !== undefined) yield pause();
      return graph[name] === undefined ? null : { imports: ['node:fs', ...graph[name]] };
    },
    *follow(specifier) {
      yield;
      const [name, query] = specifier.split('?');
      return name === 'lost' ? null : urlOf(name) + (query === undefined ? '' : `?${query}`);
    },
  };
  const circles = new EsCircles(ahead);
  const ask = (from, to) => circles.has({ url: urlOf(to), parentFile: fileOf(from) }, () => {});
  return { looks, has: (from, to) => runNow(ask(from, to)), hasLater: (from, to) => runLater(ask(from, to)) };
}

/** @param {Record<string, string[]>} graph @param {string} from @param {string} to */
function leads(graph, from, to) {
  const seen = new Set([from]);
  for (const at of seen) for (const next of graph[at] ?? []) seen.add(next);
  return seen.has(to);
}

/** @param {number} size @param {number} most imports of each @param {() => number} random */
function randomGraph(size, most, random) {
  const names = Array.from({ length: size }, (_, i) => `m${i}`);
  const some = () => names.filter(() => random() < most / size);
  return Object.fromEntries(names.map((name) => [name, some()]));
}

function randomFrom(seed) {
  return () => (seed = (seed * 16807) % 2147483647) / 2147483647;
}

describe('circles of ES modules', () => {
  it('are those in which an import leads back to its file', () => {
    const { has } = circlesOf({ a: ['b', 'd'], b: ['c', 'lost'], c: ['a'], d: ['e'], e: ['e', 'b?v=1'], f: ['a', 'nowhere'] });
    for (const [from, to] of ['ab', 'bc', 'ca', 'ad', 'de', 'ee']) assert.equal(has(from, to), true, `${from} to ${to}`);
    assert.equal(has('f', 'a'), false);
    assert.equal(has('f', 'nowhere'), false);
  });

  it('are found in any graph, in whatever order it is asked for, and each module is looked at once', () => {
    const random = randomFrom(4711);
    for (let round = 0; round < 300; round++) {
      const graph = randomGraph(1 + Math.floor(random() * 12), 1 + random() * 2, random);
      const { has, looks } = circlesOf(graph);
      const edges = Object.entries(graph).flatMap(([from, list]) => list.map((to) => [from, to]));
      edges.sort(() => random() - 0.5);
      for (const [from, to] of edges) assert.equal(has(from, to), leads(graph, to, from), JSON.stringify({ round, graph, from, to }));
      assert.equal(new Set(looks).size, looks.length);
    }
  });

  it('are found also where several are looked for at the same time', async () => {
    const random = randomFrom(12);
    for (let round = 0; round < 200; round++) {
      const graph = randomGraph(1 + Math.floor(random() * 8), 1 + random() * 2, random);
      const pause = () => (random() < 0.5 ? null : new Promise((resolve) => setImmediate(resolve)));
      const { hasLater } = circlesOf(graph, pause);
      const edges = Object.entries(graph).flatMap(([from, list]) => list.map((to) => [from, to]));
      const found = await Promise.all(edges.map(([from, to]) => hasLater(from, to)));
      assert.deepEqual(
        found,
        edges.map(([from, to]) => leads(graph, to, from)),
        JSON.stringify({ round, graph }),
      );
    }
  });

  it('may lie behind a chain of imports that no recursion would come to the end of', () => {
    const graph = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`m${i}`, [`m${i + 1}`]]));
    const { has } = circlesOf({ ...graph, m30000: ['m1'] });
    assert.deepEqual([has('m0', 'm1'), has('m1', 'm2'), has('m29999', 'm30000'), has('m30000', 'm1')], [false, true, true, true]);
  });
});
