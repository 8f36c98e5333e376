'use strict';
/*
 * What JavaScript itself hides, seen through Node's inspector within this process: the variables that a function closes over, the private
 * fields of an object, the target of a bound function, and the text of its file. In: a function or object. Out: the real values. It runs no
 * code of the module. Only for replicas of `ignis check`: a session takes time.
 */
const { Session } = require('node:inspector');

const GROUP = 'ignis-check';
/** Passes a value into the inspector and back. @type {any} */
const desk = { give: undefined, take: undefined };
const DESK = `__ignisCheck${process.pid}`;

class Scopes {
  #session = new Session();
  // Taken before a module can replace it.
  #post = Session.prototype.post;
  /** Of scripts, by id. @type {Map<string, string | null>} */
  #texts = new Map();

  constructor() {
    this.#session.connect();
    Object.defineProperty(globalThis, DESK, { value: desk, configurable: true });
  }

  /** @param {string} method @param {object} params @returns {any} */
  #ask(method, params) {
    /** @type {any} */
    let answer;
    // In the same process, the answer comes before `post` returns.
    /** @type {any} */ (this.#post).call(this.#session, method, params, (/** @type {any} */ error, /** @type {any} */ result) => {
      answer = error ? null : result;
    });
    return answer ?? {};
  }

  /** @param {string} objectId @returns {any} the object itself */
  #fetch(objectId) {
    desk.take = undefined;
    this.#ask('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function () { globalThis.${DESK}.take = this; }`,
      objectGroup: GROUP,
    });
    return desk.take;
  }

  /** @param {any} remote what the inspector says of a value */
  #valueOf(remote) {
    if (remote === undefined) return undefined;
    return remote.objectId === undefined ? (remote.unserializableValue ?? remote.value) : this.#fetch(remote.objectId);
  }

  /** @param {any} value @returns {any} its properties as the inspector sees them */
  #look(value) {
    desk.give = value;
    const { result } = this.#ask('Runtime.evaluate', { expression: `globalThis.${DESK}.give`, objectGroup: GROUP });
    desk.give = undefined;
    return result?.objectId === undefined
      ? {}
      : this.#ask('Runtime.getProperties', { objectId: result.objectId, ownProperties: true, accessorPropertiesOnly: false });
  }

  /**
   * @param {Function | object} value
   * @returns {[string, any][]} what it hides: name and value; variables of a scope as an object
   */
  hidden(value) {
    /** @type {[string, any][]} */
    const found = [];
    const { internalProperties = [], privateProperties = [] } = this.#look(value);
    for (const { name, value: remote } of internalProperties) {
      if (name === '[[Scopes]]') found.push(...this.#scopesIn(this.#fetch(remote.objectId)));
      else if (/^\[\[(?:TargetFunction|BoundThis|BoundArgs|Target|Handler)\]\]$/.test(name)) found.push([name, this.#valueOf(remote)]);
    }
    for (const { name, value: remote } of privateProperties) found.push([name, this.#valueOf(remote)]);
    this.#ask('Runtime.releaseObjectGroup', { objectGroup: GROUP });
    return found;
  }

  /** @param {any} list @returns {[string, any][]} */
  #scopesIn(list) {
    /** @type {[string, any][]} */
    const found = [];
    for (let i = 0; i < (list?.length ?? 0); i++) {
      const { description, object } = list[i];
      const isShared = String(description).startsWith('Script');
      if (!String(description).startsWith('Global') && object !== undefined)
        found.push([`scope ${i}${isShared ? ' of all scripts' : ''}`, object]);
    }
    return found;
  }

  /**
   * @param {Function} fn
   * @returns {{text: string, line: number, column: number} | null} the text of its file, and where its parameters are in it, from 0
   */
  placeOf(fn) {
    const { internalProperties = [] } = this.#look(fn);
    const place = internalProperties.find((/** @type {any} */ { name }) => name === '[[FunctionLocation]]')?.value?.value;
    this.#ask('Runtime.releaseObjectGroup', { objectGroup: GROUP });
    if (place === undefined) return null;
    let text = this.#texts.get(place.scriptId);
    if (text === undefined) {
      this.#ask('Debugger.enable', {});
      text = this.#ask('Debugger.getScriptSource', { scriptId: place.scriptId }).scriptSource ?? null;
      this.#ask('Debugger.disable', {});
      this.#texts.set(place.scriptId, text ?? null);
    }
    return typeof text === 'string' ? { text, line: place.lineNumber, column: place.columnNumber } : null;
  }

  close() {
    this.#session.disconnect();
  }
}

exports.Scopes = Scopes;
