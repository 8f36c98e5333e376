'use strict';

const assert = require('node:assert/strict');
const { FIELDS_OF, RECIPE_FIELDS, checkRecipe } = require('../../lib/recipe/fields.js');
const { SAMPLES, samplesOf } = require('./samples.js');

/** Runs it and gives back what it throws. */
function thrownBy(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

describe('recipe/fields', () => {
  it("takes names of functions and 'deep' for lift of a module, and keeps a copy that is frozen", () => {
    const names = ['parse', 'a.b', ''];
    const { lift } = checkRecipe('module', { lift: names });
    assert.deepEqual([lift, Object.isFrozen(lift), Object.isFrozen(names)], [names, true, false]);
    assert.equal(checkRecipe('module', { lift: 'deep' }).lift, 'deep');
    assert.throws(() => checkRecipe('function', { lift: ['parse'] }), { code: 'IGNIS_BAD_RECIPE' });
    assert.throws(() => checkRecipe('program', { lift: true }), { code: 'IGNIS_BAD_RECIPE' });
  });

  for (const scope of Object.keys(FIELDS_OF)) {
    for (const { name } of FIELDS_OF[scope]) {
      const samples = samplesOf(scope, name);

      it(`takes what is right for ${name} of a ${scope}`, () => {
        for (const value of samples.right) assert.deepEqual(Object.keys(checkRecipe(scope, { [name]: value })), [name]);
      });

      it(`refuses what is wrong for ${name} of a ${scope}`, () => {
        for (const value of samples.wrong)
          assert.throws(() => checkRecipe(scope, { [name]: value }, 'app.js:3'), { code: 'IGNIS_BAD_RECIPE' }, String(value));
      });
    }
  }

  it('names field, value, nearest name and place of an unknown field', () => {
    const error = thrownBy(() => checkRecipe('module', { shed: 'rr' }, 'lib/links.js:8'));
    assert.equal(error.code, 'IGNIS_BAD_RECIPE');
    assert.match(error.message, /'shed'.*'rr'.*lib\/links\.js:8.*'sched'/);
    assert.equal(error.nearest, 'sched');
  });

  it('names field, value, what is right, and place of a wrong value', () => {
    const error = thrownBy(() => checkRecipe('module', { copies: 'many' }, 'lib/links.js:8'));
    assert.match(error.message, /'copies' is 'many'.*lib\/links\.js:8.*\[least, most\]/);
  });

  it('takes a list of one place for that place, and lists that say the same for the same', () => {
    const whereOf = (where) => checkRecipe('module', { where }).where;
    assert.equal(whereOf(['thread']), 'thread');
    assert.deepEqual(whereOf(['process', 'host']), ['process', 'host']);
    assert.equal(whereOf(['process', 'host']), whereOf(['process', 'host']));
    assert.ok(Object.isFrozen(whereOf(['thread', 'host'])));
    assert.throws(
      () => whereOf(['host', 'process']),
      /'where' is \[ 'host', 'process' \]; it must be .*\['process', 'host'\].*: this machine must come first/,
    );
  });

  it('says where a field belongs that stands in the wrong place', () => {
    assert.match(
      thrownBy(() => checkRecipe('program', { call: 'await' }, 'ignis.config.js')).message,
      /'call'.*'await'.*program-wide.*ignis\.config\.js.*under `modules`/,
    );
    assert.match(thrownBy(() => checkRecipe('module', { level: 2 })).message, /'level'.*only program-wide/);
    assert.match(thrownBy(() => checkRecipe('function', { copies: 2 })).message, /'copies'.*under `functions`/);
  });

  it('names the function or module below which the field stands', () => {
    assert.match(
      thrownBy(() => checkRecipe('module', { functions: { parse: { puer: true } } }, 'a.js:1')).message,
      /'puer'.*functions 'parse', a\.js:1.*'pure'/,
    );
    assert.match(
      thrownBy(() => checkRecipe('program', { modules: { 'uri-js': { functions: { f: { call: 1 } } } } }, 'c.js')).message,
      /functions 'f', modules 'uri-js', c\.js/,
    );
  });

  it('refuses a module that is hot and cold', () => {
    assert.throws(() => checkRecipe('module', { hot: true, cold: true }, 'a.js:1'), { code: 'IGNIS_BAD_RECIPE', message: /a\.js:1/ });
  });

  it('refuses all mistakes at once, those below modules and functions too', () => {
    const error = thrownBy(() =>
      checkRecipe(
        'program',
        {
          levl: 1,
          qDepth: 0,
          call: 'await',
          modules: { '': { hot: 1 }, 'uri-js': { hot: true, cold: true, functions: { parse: { puer: true, copies: 2 } } } },
        },
        'c.js',
      ),
    );
    assert.deepEqual(
      error.problems.map(({ field }) => field),
      ['call', 'levl', 'qDepth', 'modules.', 'hot', 'copies', 'puer', 'cold'],
    );
    for (const { field, value, where, message } of error.problems) {
      assert.ok(message.includes(where) && message.includes('c.js') && !message.includes('\n'), message);
      assert.ok(field !== undefined && value !== undefined);
      assert.ok(error.message.includes(`\n  - ${message}`), message);
    }
    assert.match(error.message, /^a recipe is wrong: 8 mistakes\n/);
    assert.equal(error.field, 'call');
  });

  it('keeps its one line when there is one mistake, and lists it all the same', () => {
    const error = thrownBy(() => checkRecipe('module', { shed: 'rr' }, 'a.js:1'));
    assert.equal(
      error.message,
      "a recipe is wrong: no field is called 'shed' (its value is 'rr') (given in a.js:1); did you mean 'sched'?",
    );
    assert.deepEqual(error.problems, [
      { field: 'shed', value: 'rr', nearest: 'sched', where: 'a.js:1', message: error.message.replace('a recipe is wrong: ', '') },
    ]);
  });

  it('proposes no other field for a name that is unlike it, and says what lists them', () => {
    for (const field of ['copy', 'workers', 'maxReplicas', 'verbose'])
      assert.match(
        thrownBy(() => checkRecipe('module', { [field]: 2 }, 'a.js:1')).message,
        /\(given in a\.js:1\); 'ignis recipes' lists them$/,
      );
  });

  it('says of a module or function that stands one level too high where its recipe stands', () => {
    for (const [scope, recipe, field, home] of [
      ['program', { marked: { call: 'await' } }, 'marked', 'modules'],
      ['program', { './lib/rank.js': { copies: 2 } }, './lib/rank.js', 'modules'],
      ['module', { parse: { call: 'await' } }, 'parse', 'functions'],
    ]) {
      const error = thrownBy(() => checkRecipe(scope, recipe, 'a.js:1'));
      assert.ok(error.message.endsWith(`its recipe belongs under '${home}': ${home}: { '${field}': { ... } }`), error.message);
      assert.equal(error.problems.length, 1);
      assert.equal(error.nearest, home);
    }
    // A slip of the pen is one all the same.
    assert.match(thrownBy(() => checkRecipe('program', { moduels: { marked: {} } })).message, /did you mean 'modules'\?$/);
    assert.match(thrownBy(() => checkRecipe('module', { function: { parse: {} } })).message, /did you mean 'functions'\?$/);
    assert.match(thrownBy(() => checkRecipe('module', { lables: { disk: 'fast' } })).message, /did you mean 'labels'\?$/);
  });

  it('says of an option of the program that it is none of a recipe', () => {
    assert.match(
      thrownBy(() => checkRecipe('program', { tickMs: 50 }, 'a.js:1')).message,
      /field 'tickMs' \(its value is 50\) is an option, not a field of a recipe \(given in a\.js:1\): give it in ignis\.start\(\{ tickMs: /,
    );
  });

  it('names the fields that cannot be read', () => {
    const throws = (name) => Object.defineProperty({}, name, { enumerable: true, get: () => assert.fail('not now') });
    for (const [recipe, field] of [
      [throws('level'), 'level'],
      [throws('modules'), 'modules'],
      [{ modules: throws('uri-js') }, 'uri-js'],
      [{ modules: { 'uri-js': throws('call') } }, 'call'],
    ])
      assert.throws(() => checkRecipe('program', recipe, 'app.js:3'), {
        code: 'IGNIS_BAD_RECIPE',
        message: new RegExp(`field '${field}' cannot be read .*app\\.js:3\\): not now$`),
      });
  });

  it('says of least above most what is wrong', () => {
    assert.match(
      thrownBy(() => checkRecipe('module', { copies: [4, 2] })).message,
      /it must be \[least, most\] with the smaller number first: \[2, 4\]/,
    );
  });

  it('gives a copy that no later change reaches, frozen to the bottom', () => {
    const given = { copies: [0, 4], functions: { parse: { pure: true } } };
    const checked = checkRecipe('module', given);
    given.copies[1] = 99;
    given.functions.parse.pure = false;
    assert.deepEqual([checked.copies, checked.functions.parse.pure], [[0, 4], true]);
    for (const part of [checked, checked.copies, checked.functions, checked.functions.parse]) assert.ok(Object.isFrozen(part));
    const hosts = Object.freeze([{ ip: '192.0.2.7', port: 7100 }]);
    const labels = { disk: 'fast' };
    const far = checkRecipe('module', { where: 'host', nodes: hosts, labels });
    hosts[0].port = 7200;
    labels.disk = 'slow';
    assert.deepEqual([far.nodes, far.labels], [[{ ip: '192.0.2.7', port: 7100 }], { disk: 'fast' }]);
    for (const part of [far.nodes, far.nodes[0], far.labels]) assert.ok(Object.isFrozen(part));
  });

  it('refuses lists from which something is missing', () => {
    const holes = new Array(2);
    holes[1] = 'host';
    for (const field of ['where', 'setup', 'lift', 'oneway', 'env', 'disks', 'copies', 'nodes'])
      assert.throws(() => checkRecipe('module', { [field]: holes }), { code: 'IGNIS_BAD_RECIPE' }, field);
  });

  it('takes any name below functions, also one that every object has', () => {
    assert.deepEqual(Object.keys(checkRecipe('module', { functions: { constructor: {}, toString: { pure: true } } }).functions), [
      'constructor',
      'toString',
    ]);
  });

  it('takes nothing as an empty recipe', () => {
    assert.deepEqual(checkRecipe('module', undefined), {});
    assert.throws(() => checkRecipe('module', null), { code: 'IGNIS_BAD_RECIPE' });
  });
});

describe('the table of fields', () => {
  it('has defaults that pass their own check, and sentences', () => {
    for (const row of RECIPE_FIELDS) {
      if (row.default !== undefined) assert.equal(row.check(row.default), true, row.name);
      assert.match(row.sentence, /^[A-Z].*\.$/, row.name);
    }
  });

  it('has each name once in a scope, and samples of all here', () => {
    for (const rows of Object.values(FIELDS_OF)) assert.equal(new Set(rows.map((row) => row.name)).size, rows.length);
    assert.deepEqual([...new Set(RECIPE_FIELDS.map((row) => row.name))].sort(), Object.keys(SAMPLES).sort());
  });
});
