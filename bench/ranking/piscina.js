'use strict';

// The same program with the pipeline in threads, written by hand with piscina: one task a book, a thread for each core.
// In and out: as app.js.

const os = require('node:os');
const path = require('node:path');
const { Piscina } = require('piscina');
const { main } = require('./app.js');

const pool = new Piscina({
  filename: path.join(__dirname, 'pipeline.js'),
  name: 'rank',
  minThreads: os.availableParallelism(),
  maxThreads: os.availableParallelism(),
});

main((text) => pool.run(text)).then(() => pool.close());
