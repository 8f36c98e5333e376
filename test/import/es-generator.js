'use strict';

// Random small programs of ES modules: circles, clashes of names, live bindings, top-level await, CommonJS children. The same seed gives
// the same program.

const NAMES = ['a', 'b', 'c', 'd'];

/** @param {number} seed @returns {() => number} below 1 (mulberry32) */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** How a function of the module may change `$` of it; some only seem to. */
const CHANGES = [
  '$ = { n: 1 }',
  '[$] = [[2]]',
  '({ p: $ = 3 } = {})',
  '({ ...$ } = { r: 4 })',
  'for ($ of [5, 6]);',
  'for ($ in { k: 7 });',
  '(() => { $ = 8 })()',
  'new (class { f = ($ = 9) })()',
  'new (class { static { $ = 10 } })',
  'eval("$ = 11")',
  '((x = ($ = 12)) => x)()',
  '{ let $ = 13; $ = 14 }',
  '(($) => { $ = 15 })()',
  'try { throw 1 } catch ($) { $ = 16 }',
  '{ function $() {} } $ = 17',
  '$ ??= 18; $ &&= 19',
  '$++',
  '(function $() { try { $ = 20 } catch {} })()',
];

class Program {
  #random;
  /** @type {Record<string, string>} */
  files = {};

  /** @param {number} seed */
  constructor(seed) {
    this.#random = randomOf(seed);
    const count = 2 + this.#below(5);
    // Circles of modules that wait at the top are another matter (docs/limits.md).
    this.isCircular = this.#chance(0.5);
    // The last ones are a package; it imports nothing of the program.
    const own = this.#chance(0.6) ? count : 1 + this.#below(count - 1);
    this.modules = Array.from({ length: count }, (_, index) => {
      const kind = index > 0 && this.#chance(0.2) ? 'cjs' : 'mjs';
      return {
        index,
        isOwn: index < own,
        kind,
        file: `${index < own ? './' : `./node_modules/q${seed}/`}m${index}.${kind}`,
        names: /** @type {string[]} */ ([]),
      };
    });
    for (const module of this.modules) module.names = NAMES.filter(() => this.#chance(0.5));
    for (const module of this.modules) this.files[module.file] = module.kind === 'cjs' ? this.#commonJs(module) : this.#module(module);
    this.files[`./node_modules/q${seed}/package.json`] = `{"name":"q${seed}","version":"1.0.0"}`;
  }

  /** @param {number} limit */
  #below(limit) {
    return Math.floor(this.#random() * limit);
  }

  /** @param {number} share */
  #chance(share) {
    return this.#random() < share;
  }

  /** @template T @param {T[]} list @returns {T} */
  #one(list) {
    return list[this.#below(list.length)];
  }

  /** @param {any} from @param {any} to */
  #way(from, to) {
    return from.isOwn ? to.file : to.file.replace(/^.*\//, './');
  }

  /** @param {any} module @returns {any} one to import: mostly further down, now and then itself or further up */
  #other(module) {
    const open = this.modules.filter((one) => module.isOwn || !one.isOwn);
    const later = open.filter((one) => one.index > module.index);
    if (!this.isCircular) return later.length > 0 ? this.#one(later) : null;
    return later.length > 0 && this.#chance(0.75) ? this.#one(later) : this.#one(open);
  }

  /** @param {any} module */
  #commonJs(module) {
    const id = `'m${module.index}'`;
    const others = this.modules.filter((one) => one.kind === 'cjs' && one.index > module.index && one.isOwn === module.isOwn);
    const lines = [`log('run', ${id});`];
    if (this.#chance(0.3)) lines.push(`module.exports = function whole(x) { return [${id}, x] };`);
    else if (others.length > 0 && this.#chance(0.4))
      lines.push(`module.exports = require(${JSON.stringify(this.#way(module, this.#one(others)))});`);
    if (this.#chance(0.3))
      lines.push("Object.defineProperty(exports, '__esModule', { value: true }); exports.default = () => 'its default';");
    for (const name of module.names) {
      lines.push(
        this.#one([
          `exports.${name} = (x) => [${id}, '${name}', x];`,
          `module.exports.${name} = class ${name} { get() { return 1 } };`,
          `Object.defineProperty(exports, '${name}', { enumerable: true, get() { log('get ${name}'); return 3 } });`,
          `exports.${name} = [${id}];`,
        ]),
      );
    }
    return lines.join('\n');
  }

  /** @param {any} module */
  #module(module) {
    const lines = [`log('run', 'm${module.index}');`];
    /** @type {string[]} */
    const said = [];
    for (const name of module.names) lines.push(...this.#declared(module, name));
    lines.push(...this.#default(module));
    for (let left = this.#below(3); left > 0; left--) lines.push(this.#handedOn(module, left));
    for (let left = 1 + this.#below(3); left > 0; left--) said.push(...this.#imported(module, left, lines));
    if (!this.isCircular && this.#chance(0.3)) said.push(this.#one(['await null;', 'await new Promise((done) => setImmediate(done));']));
    const late = this.#other(module);
    if (late !== null && this.#chance(0.2)) said.push(`later(() => import(${JSON.stringify(this.#way(module, late))}));`);
    if (this.#chance(0.1))
      said.push(
        `import { createHash } from 'node:crypto'; import fs, { existsSync } from 'fs'; show('node', () => [createHash('md5').update('x').digest('hex'), fs.existsSync === existsSync]);`,
      );
    if (this.#chance(0.05)) said.push(`throw new RangeError('of m${module.index}');`);
    said.push(`log('end', 'm${module.index}');`);
    return [...lines, ...said].join('\n');
  }

  /** @param {any} module @param {string} name @returns {string[]} */
  #declared(module, name) {
    const text = `m${module.index}.${name}`;
    const change = `export function set_${name}() { ${this.#one(CHANGES).replaceAll('$', name)}; return 'set' }`;
    const local = change.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `own_${name}`).replace(`set_own_${name}`, `set_${name}`);
    return this.#one([
      [`export let ${name} = ['${text}'];`, change],
      [`export var ${name} = ['${text}']; ${name} = ['later', ${name}];`, change],
      [`let own_${name} = '${text}'; export { own_${name} as ${name} };`, local],
      [`export const ${name} = { text: '${text}' };`],
      [`export function ${name}(x) { return ['${text}', x, new.target === undefined, this === undefined] }`],
      [`export function ${name}(x) { return ['${text}', x] }`, change],
      [`export class ${name} { static made = 0; #n = 1; constructor() { ${name}.made++ } get() { return ['${text}', this.#n++] } }`],
      [`export function* ${name}() { yield '${text}'; yield* [1, 2] }`],
      [`export async function ${name}(x) { await null; return ['${text}', x] }`],
      [`const own_${name} = Symbol('${text}'); export { own_${name} as ${name}, own_${name} as '${name}-${name}' };`],
    ]);
  }

  /** @param {any} module @returns {string[]} */
  #default(module) {
    module.hasDefault ??= this.#chance(0.8);
    if (!module.hasDefault) return [];
    return this.#one([
      ['export default function named(x) { return ["named", x] }'],
      ['export default function named(x) { return ["named", x] }', 'export function set_default() { named = () => "other" }'],
      ['export default function () { return "nameless" }'],
      ['export default class { get() { return "nameless" } }'],
      ['export default (x) => ["arrow", x];'],
      ['let settled = 1; export default settled; export const set_default = () => ++settled;'],
      ['let alive = 1; export { alive as default }; export const set_default = () => ++alive;'],
      [this.isCircular ? 'export default "settled";' : 'export default await Promise.resolve("waited");'],
    ]);
  }

  /** @param {any} module @param {number} number @returns {string} */
  #handedOn(module, number) {
    const other = this.#other(module);
    // What CommonJS exports is seen later in a circle (docs/limits.md).
    if (other === null || (this.isCircular && other.kind === 'cjs')) return '';
    const from = JSON.stringify(this.#way(module, other));
    const name = other.names.length > 0 && other.kind === 'mjs' ? this.#one(other.names) : 'nobodys';
    if (this.#chance(0.5) || name === 'nobodys')
      return this.#chance(0.8) ? `export * from ${from};` : `export * as star${number} from ${from};`;
    const as = this.#one([`r${number}`, `'r ${number}'`]);
    return this.#chance(0.5)
      ? `export { ${name} as ${as} } from ${from};`
      : `import { ${name} as over${number} } from ${from}; export { over${number} as ${as} };`;
  }

  /** @param {any} module @param {number} number @param {string[]} lines gets the import @returns {string[]} what is done with it */
  #imported(module, number, lines) {
    const other = this.#other(module);
    if (other === null) return [];
    const from = JSON.stringify(this.#way(module, other));
    const said = [];
    const seen = () => said.push(...all.map((one) => `show('${one}', () => ${one});`));
    const all = [`n${number}`];
    lines.push(`import * as n${number} from ${from};`);
    const named = other.names.filter(() => this.#chance(other.kind === 'cjs' ? 0.05 : 0.6));
    if (this.#chance(0.02)) named.push(this.#one([...NAMES, 'set_a', 'r1', 'default']));
    named.forEach((name, index) => all.push(`i${number}_${index}_${name}`));
    if (named.length > 0)
      lines.push(`import { ${named.map((name, index) => `${name} as i${number}_${index}_${name}`).join(', ')} } from ${from};`);
    seen();
    named.forEach((name, index) => {
      const own = `i${number}_${index}_${name}`;
      said.push(`show('${own} is', () => ${own} === n${number}['${name}']);`, `show('${own} used', () => use(${own}));`);
    });
    said.push(`show('set', () => keys(n${number}).filter((key) => key.startsWith('set_')).map((key) => n${number}[key]()));`);
    seen();
    return said;
  }
}

/** What the programs say is kept, and printed as a whole. */
const PRELUDE = `import { inspect } from 'node:util';
const said = [];
const pending = [];
// Which kind of function it is, and its name, may be seen in a circle only after the module has run.
globalThis.log = (...what) => said.push(what.join(' ').replaceAll(/\\[\\w*Function[^\\]]*\\]/g, '[Function]'));
const keys = (module) => Object.getOwnPropertyNames(module);
globalThis.keys = keys;
const isModule = (it) => it?.[Symbol.toStringTag] === 'Module';
const valueOf = (module, key) => {
  try { return isModule(module[key]) ? 'Module ' + keys(module[key]) : inspect(module[key], { breakLength: Infinity }) } catch (error) { return error.message }
};
const namesOf = (module) => Reflect.ownKeys(module).map((key) => String(key) + ': ' + valueOf(module, key)).join();
globalThis.later = (load) => pending.push(load);
globalThis.show = (title, look) => {
  let seen;
  try { seen = look() } catch (error) { seen = error instanceof Error ? error.name + ': ' + error.message : error }
  log(title, isModule(seen) ? namesOf(seen) : inspect(seen, { breakLength: Infinity }));
};
globalThis.use = (it) => {
  if (typeof it !== 'function') return typeof it;
  if (it.toString().startsWith('class')) { const made = new it(); return [made instanceof it, made.constructor === it, made.get(), new (class extends it {})().get(), it.made] }
  const got = it(7);
  if (got instanceof Promise) return 'a promise';
  return got?.[Symbol.iterator] && !Array.isArray(got) && typeof got !== 'string' ? [...got] : got;
};
`;

/**
 * @param {number} first
 * @param {number} count of programs, in one folder
 * @returns {Record<string, string>} their files; `main.mjs` runs all and prints for each a line
 */
function programs(first, count) {
  /** @type {Record<string, string>} */
  const files = {};
  const entries = [];
  for (let seed = first; seed < first + count; seed++) {
    for (const [name, content] of Object.entries(new Program(seed).files)) {
      files[name.includes('/node_modules/') ? `s${seed}/${name.slice(2)}` : `s${seed}/${name.slice(2)}`] = content;
    }
    entries.push(`await import('./s${seed}/m0.mjs').then((m) => show('end', () => m), (error) => log('fails', error?.name, /does not provide|not found/.test(error?.message) ? 'a name is missing' : error?.message));
for (const load of pending.splice(0)) log('later', await load().then((m) => keys(m).join(), (error) => error.name)); console.log(${seed}, JSON.stringify(said.splice(0)));`);
  }
  files['main.mjs'] = PRELUDE + entries.join('\n');
  return files;
}

exports.programs = programs;
