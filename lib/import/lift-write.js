'use strict';
/*
 * Writes lifted calls; lift.js says what they become. In: calls to lift, and functions that become async for them. Out: edits.
 */
const { answersOf } = require('./lift-deep');

/** @typedef {any} Node of ESTree */
/** @typedef {{edits: import('./lift-edit').Edits, tokens: any[], helper: string}} Target tokens: of the whole file */

/** @param {Node} call @param {Target} target */
function writeCall(call, { edits, tokens, helper }) {
  const { callee } = call;
  const text = JSON.stringify(printed(callee));
  const open = openOf(call, tokens);
  const isMethod = callee.type === 'MemberExpression';
  edits.insert(call.start, `${spaceAt(call.start, tokens)}${helper}.value(${helper}.isAway(${helper}.${isMethod ? 'method' : 'call'}(`);
  const isOptional = (isMethod && callee.optional) || call.optional;
  const how = isOptional ? `,${(isMethod && callee.optional ? 1 : 0) + (call.optional ? 2 : 0)}` : '';
  if (isMethod) {
    // Parentheses around the callee would close too early.
    for (const one of between(tokens, call.start, callee.start)) edits.replace(one.start, one.end, ' ');
    // Only one sign of `?.[` becomes a comma.
    const signs = between(tokens, callee.object.end, callee.property.start).filter(({ type }) => type.label !== ')');
    signs.forEach((one, index) => edits.replace(one.start, one.end, index === 0 ? ',' : ' '));
    if (!callee.computed) edits.replace(callee.property.start, callee.property.end, JSON.stringify(callee.property.name));
    for (const one of between(tokens, callee.property.end, open.at)) edits.replace(one.start, one.end, ' ');
  }
  edits.insert(open.at, `,${text}${how})${isOptional && !call.optional ? '?.' : ''}`, isMethod ? callee.property.start : callee.start);
}

/** To be written before anything else that ends there: inner calls close first. @param {Node} call @param {Target} target */
function closeCall(call, { edits, helper }) {
  edits.insert(call.end, `)?await ${helper}.away():${helper}.here())`);
}

/** @param {any} token */
const isWord = ({ type }) => type.keyword !== undefined || type.label === 'name';

/** @param {Node} call @param {any[]} tokens @returns {{at: number}} position of the `(` of its arguments, or of a `?.` before that */
function openOf(call, tokens) {
  const end = call.arguments.length > 0 ? call.arguments[0].start : call.end;
  const inside = between(tokens, call.callee.end, end);
  if (call.optional) return { at: inside.find((one) => one.type.label === '?.').start };
  // Closing parentheses belong to the callee; the first opening one is the call's.
  return { at: inside.find((one) => one.type.label === '(').start };
}

/** @param {any[]} tokens @param {number} start @param {number} end @returns {any[]} the tokens in between */
function between(tokens, start, end) {
  const found = [];
  for (let index = firstFrom(tokens, start); index < tokens.length && tokens[index].end <= end; index++) found.push(tokens[index]);
  return found;
}

/** @param {any[]} tokens @param {number} start @returns {number} index of the first token that begins there or later */
function firstFrom(tokens, start) {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle].start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {Node} node @returns {string} a callee as V8 names it in "x.parse is not a function" */
function printed(node) {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression': {
      const dot = node.optional ? '?.' : '.';
      const isText = node.computed && typeof node.property.value === 'string';
      return `${printed(node.object)}${dot}${isText ? node.property.value : node.property.name}`;
    }
    case 'CallExpression':
      return `${printed(node.callee)}(...)`;
    case 'ChainExpression':
      return printed(node.expression);
    case 'SequenceExpression':
      return `(${node.expressions.map(printed).join(' , ')})`;
    case 'Literal':
      return String(node.value);
    default:
      return '(intermediate value)';
  }
}

/**
 * @param {number} at
 * @param {any[]} tokens
 * @returns {string} a space if an inserted word would join the word before: `return(0,x.parse)(a)`
 */
function spaceAt(at, tokens) {
  const previous = tokens[firstFrom(tokens, at) - 1];
  return previous?.end === at && isWord(previous) ? ' ' : '';
}

/**
 * @param {import('./lift-deep').Plan} plan
 * @param {Target} target
 */
function writeAsync({ fn, calls, given }, { edits, tokens, helper }) {
  for (const { node, wrap } of given) if (wrap !== null) edits.insert(node.start, `${helper}.${wrap}(`);
  edits.insert(fn.start, 'async ');
  if (calls.length > 0) {
    for (const answer of answersOf(fn)) {
      // A comma would make it two arguments.
      const [open, close] = answer.type === 'SequenceExpression' ? ['((', '))'] : ['(', ')'];
      edits.insert(answer.start, `${spaceAt(answer.start, tokens)}${helper}.answer${open}`);
      edits.insert(answer.end, close);
    }
  }
  for (const call of calls) {
    edits.insert(call.start, `${spaceAt(call.start, tokens)}${helper}.value(await `);
    edits.insert(call.end, ')');
  }
  for (const { node, wrap } of given) if (wrap !== null) edits.insert(node.end, ')');
}

exports.closeCall = closeCall;
exports.printed = printed;
exports.writeAsync = writeAsync;
exports.writeCall = writeCall;
