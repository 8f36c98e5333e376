'use strict';

// mocha's spec reporter, which also writes its counts to the file in the option `output`.

const fs = require('node:fs');
const { reporters } = require('mocha');

module.exports = class Reporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => fs.writeFileSync(options.reporterOptions.output, JSON.stringify({ stats: this.stats })));
  }
};
