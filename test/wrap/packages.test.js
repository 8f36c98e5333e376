'use strict';

// The same uses of real packages, plain and wrapped.

const assert = require('node:assert/strict');
const path = require('node:path');
const { packageOf } = require('../../lib/import/module-id');
const { Views } = require('../../lib/wrap/view');
const { boundaryAround } = require('../helpers/watched');

/** @type {Record<string, (lib: any) => any>} by package */
const USES = {
  lodash(_) {
    const templates = _.template('hello <%= name %>')({ name: 'you' });
    _.mixin({ shout: (s) => `${s}!` });
    return [
      _.chunk([1, 2, 3], 2),
      _.map([1, 2], (x) => x * 2),
      _([3, 1, 2])
        .sortBy()
        .map((x) => x + 1)
        .value(),
      _.merge({ a: { b: 1 } }, { a: { c: 2 } }),
      _.isPlainObject({}),
      _.get({ a: [{ b: 7 }] }, 'a[0].b'),
      templates,
      _.chain([1, 2, 3])
        .filter((x) => x > 1)
        .sum()
        .value(),
      _.shout('x'),
      _('y').shout().value(),
      _.VERSION,
      _.partial(_.add, 1)(2),
      _.partial((...args) => args, _, 2)(1),
      _.curry((a, b) => a + b)(1)(2),
      _.isFunction(_),
      _.noConflict() === _,
      Object.keys(_).length > 300,
      _([1]) instanceof _,
      _.flow([_.add, _.identity])(1, 2),
      _.functions(_).length > 300,
      _.each === _.forEach,
    ];
  },
  marked({ marked, Marked, parse, lexer, Renderer }) {
    const own = new Marked({ gfm: true });
    class Loud extends Renderer {
      heading({ text }) {
        return `<h1>${text.toUpperCase()}</h1>`;
      }
    }
    return [
      parse('# hi *there*'),
      marked('a **b**'),
      marked.parse('`x`'),
      own.parse('[a](b)'),
      lexer('a').length,
      new Marked().use({ renderer: { strong: ({ text }) => `<b>${text}</b>` } }).parse('**x**'),
      new Loud() instanceof Renderer,
      marked.parse('# up', { renderer: new Loud() }),
      marked.parse('x', { async: true }) instanceof Promise,
    ];
  },
  'uri-js': (uri) => [
    uri.parse('http://a.b/c?d#e'),
    uri.normalize('HTTP://ABC.com:80/%7Esmith'),
    uri.equal('http://a/%7b', 'http://a/%7B'),
    uri.serialize({ scheme: 'http', host: 'a' }),
    Object.keys(uri).sort(),
    Object.keys(uri.SCHEMES).sort(),
  ],
  'msgpack-lite': (lib) => [lib.decode(lib.encode({ a: [1, 'x', null] })), lib.createCodec({ preset: true }) !== undefined],
  pidusage: (lib) => [typeof lib, Object.keys(lib)],
  debug: (lib) => {
    const log = lib('ignis:test');
    const lines = [];
    log.log = (line) => lines.push(line);
    log.enabled = true;
    log('to %s', 'you');
    return [lines.length, lib.enabled('nothing'), typeof log.extend('x'), lib === lib.debug || lib.debug === lib.default, lib.coerce(1)];
  },
  ms: (lib) => [lib('2 days'), lib(60000)],
  express(express) {
    const app = express();
    const router = express.Router();
    router.get('/x', () => {});
    app.use(router);
    return [
      typeof app,
      typeof app.listen,
      router.stack.length,
      typeof express.static('.'),
      express.application !== undefined,
      Object.getPrototypeOf(app.request) === express.request,
      typeof express.json(),
    ];
  },
};

/** A module loaded anew, with all files of its package. @param {string} file */
function fresh(file) {
  const { root } = packageOf(file);
  for (const known of Object.keys(require.cache)) if (known.startsWith(root + path.sep)) delete require.cache[known];
  return require(file);
}

const WAYS = [
  { how: '', hot: false, isExact: false },
  { how: ' as a hot module', hot: true, isExact: false },
  { how: ' with exact', hot: false, isExact: true },
  { how: ' as a hot module with exact', hot: true, isExact: true },
];

describe('real packages', () => {
  for (const [name, use] of Object.entries(USES)) {
    for (const { how, hot, isExact } of WAYS) {
      it(`${name} answers the same when wrapped${how}`, function () {
        let file;
        try {
          file = require.resolve(name);
        } catch {
          return this.skip();
        }
        const plain = use(fresh(file));
        const boundary = boundaryAround(fresh(file), { hot }, { views: isExact ? new Views() : null });
        assert.deepEqual(use(boundary.wrapped), plain);
        assert.ok(boundary.isWrapped);
        assert.ok(boundary.points.size > 0);
      });
    }
  }
});
