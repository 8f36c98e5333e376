'use strict';
/*
 * Resolves which binding each name in a file means, for lifting and for `import`. In: the syntax tree of a file (acorn). Out: the binding
 * of each name that is read or written, the parent of each node, and for each binding where its value comes from and who writes it. Names
 * are never compared across scopes; what `with` and `eval` could change is for the caller to refuse.
 */

const { childrenOf, isFunction, leavesOf } = require('./syntax-tree');
const { Map } = require('../engine');

/** @typedef {any} Node of ESTree, with `start` and `end` */

/**
 * @typedef {object} Binding
 * @property {string} name
 * @property {Scope} scope
 * @property {Value[]} values one for each declaration; with more than one, it is unknown which counts
 * @property {Write[]} writes all writes except the initial values
 *
 * @typedef {object} Value
 * @property {Node | null} node the expression the value is taken from; null: not known from the text (a parameter, a function)
 * @property {string[] | null} path the properties that lead to the value; null: a way that we do not follow
 * @property {boolean} isEmpty a declaration without a value
 * @property {{specifier: string, path: string[]} | null} imported
 * @property {Node | null} fn the function that was declared
 *
 * @typedef {object} Write
 * @property {Node} name
 * @property {Scope} from the scope of the write
 * @property {Node | null} node what is assigned by a plain `=`; null: written in some other way
 * @property {string[] | null} path
 *
 * @typedef {object} Scope
 * @property {Scope | null} parent
 * @property {Node} owner the function, class part or program whose code it is
 * @property {Map<string, Binding>} names
 *
 * @typedef {object} Names
 * @property {Map<Node, Binding | null>} bindings by use of a name; null: it has no binding in this file
 * @property {Map<Node, Node>} parents
 * @property {Map<string, Binding>} top what the program itself declares
 * @property {boolean} hasEval true: code that does not exist yet may read and write any name
 * @property {Node[]} asked what `import()` is given
 */

/** Nodes that may hold statements without being functions. */
const HOLDERS =
  /^(?:Block|If|For|ForIn|ForOf|While|DoWhile|Try|Switch|Labeled|With)Statement$|^(?:CatchClause|SwitchCase|ExportNamedDeclaration)$/;

class Resolver {
  /** @type {Map<Node, Binding | null>} */
  bindings = new Map();
  /** @type {Map<Node, Node>} */
  parents = new Map();
  hasEval = false;
  /** @type {Node[]} */
  asked = [];
  /** In strict code a function in a block belongs to the block. */
  #isStrict;
  /** @type {{name: Node, scope: Scope, write: Omit<Write, 'name' | 'from'> | null}[]} resolved once all scopes are known */
  #uses = [];

  /** @param {Node} program */
  constructor(program) {
    const scope = this.#open(null, program);
    this.#isStrict = program.sourceType === 'module';
    this.top = scope.names;
    this.#declareVars(program.body, scope);
    this.#declareBlock(program.body, scope);
    for (const node of program.body) this.#visit(node, program, scope);
    for (const { name, scope: from, write } of this.#uses) {
      const binding = lookup(name.name, from);
      this.bindings.set(name, binding);
      if (write !== null) binding?.writes.push({ name, from, ...write });
    }
  }

  /** @param {Scope | null} parent @param {Node} owner @returns {Scope} */
  #open(parent, owner) {
    return { parent, owner, names: new Map() };
  }

  /** @param {Scope} scope @param {string} name @param {Partial<Value>} value */
  #declare(scope, name, value) {
    let binding = scope.names.get(name);
    if (binding === undefined) scope.names.set(name, (binding = { name, scope, values: [], writes: [] }));
    binding.values.push({ node: null, path: null, isEmpty: false, imported: null, fn: null, ...value });
  }

  /** `var`, and in scripts functions in blocks, belong to the whole function. @param {Node[]} nodes @param {Scope} scope */
  #declareVars(nodes, scope) {
    for (const node of nodes) {
      if (node.type === 'VariableDeclaration' && node.kind === 'var') this.#declareVariables(node, scope);
      if (!HOLDERS.test(node.type)) continue;
      const inner = childrenOf(node);
      for (const child of this.#isStrict ? [] : inner) {
        if (child.type === 'FunctionDeclaration') this.#declare(scope, child.id.name, { fn: child });
      }
      this.#declareVars(inner, scope);
    }
  }

  /** @param {Node} node VariableDeclaration @param {Scope} scope */
  #declareVariables(node, scope) {
    for (const declarator of node.declarations) {
      const { init = null } = declarator;
      for (const { name, path } of leavesOf(declarator.id)) {
        this.#declare(scope, name.name, { node: init, path, isEmpty: init === null });
      }
    }
  }

  /** @param {Node[]} nodes statements of one block @param {Scope} scope */
  #declareBlock(nodes, scope) {
    for (const statement of nodes) {
      const node = statement.type.startsWith('Export') ? (statement.declaration ?? statement) : statement;
      if (node.type === 'VariableDeclaration' && node.kind !== 'var') this.#declareVariables(node, scope);
      if (node.type === 'FunctionDeclaration' && node.id) this.#declare(scope, node.id.name, { fn: node });
      if (node.type === 'ClassDeclaration' && node.id) this.#declare(scope, node.id.name, {});
      if (node.type === 'ImportDeclaration') this.#declareImports(node, scope);
    }
  }

  /** @param {Node} node @param {Scope} scope */
  #declareImports({ source, specifiers }, scope) {
    for (const one of specifiers) {
      const imported = one.imported?.name ?? one.imported?.value;
      const path = one.type === 'ImportNamespaceSpecifier' ? [] : [one.type === 'ImportDefaultSpecifier' ? 'default' : imported];
      this.#declare(scope, one.local.name, { imported: { specifier: source.value, path } });
    }
  }

  /** @param {Node} node @param {Node} parent @param {Scope} scope @returns {void} */
  #visit(node, parent, scope) {
    this.parents.set(node, parent);
    if (isFunction(node)) return this.#visitFunction(node, scope);
    switch (node.type) {
      case 'Identifier':
        if (isReference(node, parent)) this.#uses.push({ name: node, scope, write: null });
        return;
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const own = this.#open(scope, scope.owner);
        if (node.id) this.#declare(own, node.id.name, {});
        return this.#visitAll(node, own);
      }
      case 'StaticBlock': {
        const own = this.#open(scope, node);
        this.#declareVars(node.body, own);
        this.#declareBlock(node.body, own);
        return this.#visitAll(node, own);
      }
      case 'PropertyDefinition': {
        // The value of a field is computed once for each object, as in a function.
        this.#visit(node.key, node, scope);
        if (node.value) this.#visit(node.value, node, this.#open(scope, node));
        return;
      }
      case 'BlockStatement':
        return this.#visitBlock(node, node.body, scope);
      case 'SwitchStatement':
        return this.#visitBlock(
          node,
          node.cases.flatMap((/** @type {Node} */ one) => one.consequent),
          scope,
        );
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
        return this.#visitLoop(node, scope);
      case 'CatchClause': {
        const own = this.#open(scope, scope.owner);
        for (const { name } of leavesOf(node.param)) this.#declare(own, name.name, {});
        return this.#visitAll(node, own);
      }
      case 'AssignmentExpression':
        for (const { name, path } of leavesOf(node.left)) {
          this.#uses.push({ name, scope, write: { node: node.operator === '=' ? node.right : null, path } });
        }
        return this.#visitAll(node, scope);
      case 'UpdateExpression':
        this.#write(node.argument, scope);
        return this.#visitAll(node, scope);
      case 'CallExpression':
        if (node.callee.type === 'Identifier' && node.callee.name === 'eval') this.hasEval = true;
        return this.#visitAll(node, scope);
      case 'ImportExpression':
        this.asked.push(node.source);
        return this.#visitAll(node, scope);
      default:
        return this.#visitAll(node, scope);
    }
  }

  /** @param {Node} pattern @param {Scope} scope */
  #write(pattern, scope) {
    for (const { name } of leavesOf(pattern)) this.#uses.push({ name, scope, write: { node: null, path: null } });
  }

  /** @param {Node} node @param {Scope} scope */
  #visitAll(node, scope) {
    for (const child of childrenOf(node)) this.#visit(child, node, scope);
  }

  /** @param {Node} node @param {Node[]} statements @param {Scope} scope */
  #visitBlock(node, statements, scope) {
    const own = this.#open(scope, scope.owner);
    this.#declareBlock(statements, own);
    this.#visitAll(node, own);
  }

  /** @param {Node} node @param {Scope} scope */
  #visitLoop(node, scope) {
    const own = this.#open(scope, scope.owner);
    const head = node.type === 'ForStatement' ? node.init : node.left;
    if (node.type !== 'ForStatement') {
      // Each round gives it another value.
      if (head.type === 'VariableDeclaration') for (const { name } of leavesOf(head.declarations[0].id)) this.#write(name, own);
      else this.#write(head, own);
    }
    if (head?.type === 'VariableDeclaration' && head.kind !== 'var') this.#declareVariables(head, own);
    this.#visitAll(node, own);
  }

  /** @param {Node} node @param {Scope} outer @returns {void} */
  #visitFunction(node, outer) {
    const own = this.#open(outer, node);
    if (node.type === 'FunctionExpression' && node.id) this.#declare(own, node.id.name, {});
    for (const param of node.params) for (const { name } of leavesOf(param)) this.#declare(own, name.name, {});
    if (node.type !== 'ArrowFunctionExpression') this.#declare(own, 'arguments', {});
    for (const param of node.params) this.#visit(param, node, own);
    if (node.body.type !== 'BlockStatement') return this.#visit(node.body, node, own);
    this.#declareVars(node.body.body, own);
    this.#declareBlock(node.body.body, own);
    this.parents.set(node.body, node);
    this.#visitAll(node.body, own);
  }
}

/** @param {string} name @param {Scope | null} from @returns {Binding | null} */
function lookup(name, from) {
  for (let scope = from; scope !== null; scope = scope.parent) {
    const found = scope.names.get(name);
    if (found !== undefined) return found;
  }
  return null;
}

/** @param {Node} node a name @param {Node} parent @returns {boolean} false for names of properties, labels, and what is declared */
function isReference(node, parent) {
  switch (parent.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed;
    case 'Property':
      return parent.value === node || parent.computed;
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.computed || parent.value === node;
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'ImportAttribute':
    case 'ExportAllDeclaration':
      return false;
    case 'ExportSpecifier':
      return parent.local === node;
    default:
      return true;
  }
}

/** @param {Node} program @returns {Names} */
function resolveNames(program) {
  return new Resolver(program);
}

exports.resolveNames = resolveNames;
