'use strict';
// What the functions of the fault suite's module give, for whoever compares.

/** @param {string} id @param {number} n */
const answer = (id, n) => ({ id, text: `${id}:${n * 7 + 3}`, list: [n, n + 1, { twice: 2 * n }] });

exports.answer = answer;
