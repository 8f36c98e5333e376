'use strict';
require('workerpool').worker({ echo: (/** @type {any} */ value) => value });
