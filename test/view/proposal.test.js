'use strict';

const assert = require('node:assert/strict');
const { checkRecipe } = require('../../lib/recipe/fields.js');
const { propose } = require('../../lib/view/proposal.js');
const { boundary } = require('./fake-feed.js');

/** A boundary that took 100 ms in all. */
const marked = (functions) => boundary('./app.js -> marked', { child: 'marked', calls: 90, exclusiveMs: 100, functions });

const sync = (exclusiveMs, more = {}) => ({ kind: 'sync', calls: 9, exclusiveMs, latencyMs: null, ...more });
const promise = (exclusiveMs, latencyMs) => ({ kind: 'promise', calls: 9, exclusiveMs, latencyMs });
const notes = (functions, shipped) => propose(marked(functions), shipped).notes.join('\n');
const shipped = (...pure) => ({ evidence: 'read', pure, cold: false });

describe('a recipe that is proposed', () => {
  it('is one that a recipe file may hold', () => {
    const { text, recipe } = propose(marked({ parse: sync(98), load: promise(1, 4), use: sync(1, { calls: 1 }) }));
    const module = { exports: {} };
    Function('module', text)(module);
    assert.deepEqual(module.exports.modules.marked, recipe);
    assert.deepEqual(recipe, { hot: true, functions: { parse: { call: 'await' } } });
    assert.doesNotThrow(() => checkRecipe('program', module.exports, 'here'));
  });

  it('names what takes the time, the most first, and not what takes hardly any', () => {
    const { recipe } = propose(marked({ lex: sync(2), parse: sync(90), walk: sync(7), use: sync(1, { latencyMs: 4 }) }));
    assert.deepEqual(Object.keys(recipe.functions), ['parse', 'walk', 'lex']);
  });

  it('names nothing that was called once, or that cannot leave, beside what can', () => {
    const bound = sync(40, { whyBound: 'it was given a socket' });
    assert.deepEqual(propose(marked({ init: sync(40, { calls: 1 }), send: bound, parse: sync(20) })).recipe, {
      functions: { parse: { call: 'await' } },
    });
  });

  it('has a function leave that takes little time and answers later, once it has answered', () => {
    assert.deepEqual(propose(marked({ load: promise(1, 4) })).recipe, { hot: true });
    assert.equal(propose(marked({ load: promise(1, null) })).recipe, null);
  });

  it('lets go what is given a callback as it is', () => {
    assert.deepEqual(propose(marked({ work: sync(100, { whyBound: 'it is given a callback' }) })).recipe, { hot: true });
  });

  it('names no function where the module is one, but where it has others', () => {
    assert.deepEqual(propose(marked({ '': sync(100) })).recipe, { call: 'await' });
    const both = { '': { call: 'await' }, parse: { call: 'await' } };
    assert.deepEqual(propose(marked({ '': sync(60), parse: sync(40) })).recipe, { functions: both });
    assert.deepEqual(propose(marked({ '': sync(60), bind: sync(40, { whyBound: 'it gives functions' }) })).recipe, {
      functions: { '': { call: 'await' } },
    });
    assert.match(notes({ '': sync(100) }), /`await` before marked:/);
  });

  it('asks for nothing that the recipes that hold say already', () => {
    const { recipe, notes: said } = propose(marked({ parse: sync(100) }), null, true);
    assert.deepEqual(recipe, { functions: { parse: { call: 'await' } } });
    assert.match(said.join('\n'), /await.*parse.*\nthere may be several replicas, since the recipes in force already say/);
    assert.doesNotMatch(said.join('\n'), /until the recipe says/);
  });

  it('says what its user vouches for, less where Ignis ships the evidence', () => {
    const two = { parse: sync(60), lex: sync(40) };
    assert.match(notes({ parse: sync(100) }), /await.*parse.*\n.*stays at home, where it was called, .* at most one replica/);
    assert.match(notes({ parse: sync(100) }, shipped('parse')), /parse is pure, so there may be several/);
    assert.match(notes(two, shipped('parse', 'lex')), /parse, lex are pure, so there may be several/);
    assert.match(notes(two, shipped('parse')), /at most one replica/);
  });

  it('asks nobody to await, nor takes anything for pure, where all of it answers later', () => {
    const said = notes({ load: promise(100, 4) }, shipped('load'));
    assert.doesNotMatch(said, /`await`|is pure/);
    assert.match(said, /at most one replica/);
  });

  it('is none where nothing could leave, and says why', () => {
    const why = (functions, known) => propose(marked(functions), known).why;
    const of = (kind, more) => ({ only: { kind, calls: 9, exclusiveMs: 9, latencyMs: null, ...more } });
    assert.match(why({}), /no function/);
    assert.match(why(of('constructor')), /objects/);
    assert.match(why(of('sync-callback')), /callbacks/);
    assert.match(why(of('property')), /nothing that was seen of it/);
    assert.match(why(of('sync', { calls: 1 })), /once/);
    assert.match(why(of('sync', { whyBound: 'it was given a socket' })), /^it was given a socket, so its calls could not leave/);
    assert.match(why({ Parser: { kind: 'constructor', calls: 9, exclusiveMs: 1 }, ...of('sync-callback') }), /callbacks/);
    assert.match(why({ parse: sync(100) }, { evidence: 'too small', pure: [], cold: true }), /never pays: too small/);
  });
});
