'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { check } = require('../../lib/check/check');
const { Scopes } = require('../../lib/check/scopes');
const { search } = require('../../lib/check/suspects');

const FOLDER = path.join(__dirname, '..', 'fixtures', 'check', 'seeds');
const seldom = require('../fixtures/check/seeds/seldom');
const innocent = require('../fixtures/check/seeds/innocent');
const followed = require('../fixtures/check/seeds/followed');

/** What must be found of each function of seldom.js, whose branch no call takes. @type {[RegExp, string][]} */
const SELDOM = [
  [/^the time$/, 'plainDate subtractsDate aliasedClass aliasedNow reflects'],
  [/^Math\.random$/, 'aliasedRandom byText takenApart viaGlobal'],
  [/^process$/, 'aliasedEnvironment environmentTakenApart'],
  [/^console\.warn$/, 'prints'],
  [/^fs\.existsSync$/, 'readsFile'],
  [/^random numbers$/, 'drawsBytes'],
  [/^the time zone$/, 'hour'],
  [/^the locale$/, 'locale'],
  [/^fetch$/, 'fetches'],
  [/^code that it loads$/, 'loads'],
  [/^a change of 'sticky'$/, 'place'],
  [
    /^a change of 'state'$/,
    'defers dispatches deepMethod foundEntry listed byAnswer readsGetter writesSetter asText spreads byParent byOldParent ownGetter place2 proxied tries labelled patchesClass',
  ],
  [/^a change of 'patterns'$/, 'placeOfTable'],
  [/^a change of 'cache'$/, 'cachedEntry'],
  [/^a change of 'this'$/, 'bound'],
  [/^a change of 'Array'$/, 'patches'],
  [
    /^a change of its argument 'options'$/,
    'sequence deepHelper localAlias aliasedTable dispatchesTo byAnswerOf byArguments inList inObject byClass tagged defaulted generated entriesOf proto bySelf byApply byReflect byBind fillsIn',
  ],
  [/^a change of its argument 'list'$/, 'filtered eachOfCopy splices'],
  [/^a change of its argument 'all'$/, 'rest'],
];

/** The same of followed.js. @type {[RegExp, string][]} */
const FOLLOWED = [
  [/^a change of 'moving'$/, 'moves'],
  [/^a change of 'cache'$/, 'ctorAnswers'],
  [/^a change of 'sticky'$/, 'chosen byHelper byCall methodOfTest uncurriedExec aliasExec handedTest'],
  [/^a change of 'patterns'$/, 'inSome byConst byMoving byProperty inLoopConst'],
  [/^a change of 'this'$/, 'boundTest boundPush'],
  [/^a sticky regular expression$/, 'placedMatch'],
  [/^a change of 'current'$/, 'setCurrent currentPoint'],
  [/^a change of 'emitter'$/, 'emits'],
  [/^a change of 'entries'$/, 'superMap'],
  [/^a change of 'hash'$/, 'updates'],
  [/^a change of 'buf'$/, 'fillsBuffer'],
  [/^a change of 'origin'$/, 'ownPoint'],
  [
    /^a change of 'state'$/,
    'aliasPush uncurriedPush listPoint byField deepFound literalState handsOver handsOverParts handsEach handsNamed handsLater superMethod superAny aliasAssign aliasDefine aliasSet aliasObject',
  ],
  [/^a change of its argument 'l'$/, 'lastOf'],
  [/^a change of its argument 'e'$/, 'failure'],
  [/^a change of its argument 'p'$/, 'guardLost guardLoop guardClosure guardTest setLoop setClosure setSwitch setSwitchOut setJump'],
  [
    /^a change of its argument 'o'$/,
    'recursiveKeeps recursiveNode mutual ctorAlias laterKept laterKept2 initKept filledKept ctorSame fancy guardOr guardElse setSome setBefore setTry setFinally setArguments setAlias setInner byFill byFillCall byClosureFill byInherited bySuper byPrivate byHeld initField literal literalArrow literalArg innerClass innerClassCtor innerProto assignedMethod handedClosure getterLit',
  ],
];

/** Of taken.js, those of a kind that other fixtures do not have. */
const TAKEN =
  'ring inClosure onBound inProxy byGetter onPrototype symbolKey defaults firstOfKind byLength initByFirst sticky fromEntries swaps';
/** Of innocent.js. */
const PURE = 'builds copies reads byConstant versions copiesOver';

describe('functions that were written to be called pure wrongly', function () {
  this.timeout(120000);
  const scopes = new Scopes();
  after(() => scopes.close());

  for (const [module, what, names] of [
    ...SELDOM.map(([what, names]) => /** @type {const} */ ([seldom, what, names])),
    ...FOLLOWED.map(([what, names]) => /** @type {const} */ ([followed, what, names])),
  ]) {
    for (const name of names.split(' ')) {
      it(`by its source, ${name} is not`, () => {
        const found = search(module[name], module, scopes).suspects;
        assert.ok(
          found.some((one) => what.test(one)),
          found.join('; '),
        );
      });
    }
  }

  it('are all in the table', () => {
    const known = SELDOM.flatMap(([, names]) => names.split(' '));
    assert.deepEqual(known.sort(), Object.keys(seldom).sort());
    const followedToo = FOLLOWED.flatMap(([, names]) => names.split(' '));
    assert.deepEqual(followedToo.sort(), Object.keys(followed).sort());
  });

  it('do not make others suspected', () => {
    const found = Object.entries(innocent).map(([name, fn]) => [name, search(fn, innocent, scopes).suspects]);
    assert.deepEqual(
      found.filter(([, suspects]) => suspects.length > 0),
      [],
    );
  });

  // All of them take half a minute: `ignis check -- node run.js` in their folder.
  it('are not called pure by what they do, and others are', async () => {
    const command = [process.execPath, 'run.js', ...TAKEN.split(' '), ...PURE.split(' ')];
    const { modules } = await check({ command, cwd: FOLDER, modules: ['./seeds/*.js'], output: 'ignore', limitMs: 60000 });
    const verdicts = modules.flatMap((module) => module.verdicts);
    const named = (/** @type {(verdict: string) => boolean} */ isMeant) =>
      verdicts.filter(({ verdict }) => isMeant(verdict)).map(({ fn }) => fn);
    assert.deepEqual(named((verdict) => verdict === 'pure').sort(), PURE.split(' ').sort());
    assert.deepEqual(named((verdict) => verdict !== 'pure').sort(), TAKEN.split(' ').sort());
  });
});
