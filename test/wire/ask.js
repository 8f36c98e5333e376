'use strict';
// A question that the other end answers only after it asked back, and so on: both ends of a line use this, each waiting within the other's
// wait.

/**
 * @param {any} line
 * @param {number} depth
 * @returns {number} how deep it went
 */
function ask(line, depth) {
  line.post(['ask', depth]);
  for (;;) {
    const [kind, value] = line.receive();
    if (kind === 'answer') return value;
    answer(line, value);
  }
}

/** @param {any} line @param {number} depth */
function answer(line, depth) {
  line.post(['answer', depth === 0 ? 0 : ask(line, depth - 1) + 1]);
}

exports.ask = ask;
exports.answer = answer;
