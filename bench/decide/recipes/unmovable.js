'use strict';

// Nothing may be moved.

module.exports = {};
