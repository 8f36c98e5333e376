'use strict';

const { markdown, sizes } = require('../texts');

/** @type {import('../cases').Cases} */
module.exports = { functions: {}, ownFile: { render: sizes([1, 8, 24], markdown) } };
