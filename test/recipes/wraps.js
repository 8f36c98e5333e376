'use strict';
/*
 * The files that recipes advise a program to write (`wrap`): their lines become a file beside the packages of the book, where git does not look.
 * In: a shipped recipe. Out: the file's name.
 */
const fs = require('node:fs');
const path = require('node:path');
const { fileNameOf } = require('../../lib/recipe/shipped');
const { installed } = require('./installed');

/**
 * @param {import('../../lib/types').ShippedRecipe} shipped
 * @returns {string} absolute
 */
function wrapFile({ package: name, wrap }) {
  const folder = path.join(installed(), 'node_modules', '.wraps');
  const file = path.join(folder, fileNameOf(name));
  const text = `${wrap?.lines.join('\n')}\n`;
  fs.mkdirSync(folder, { recursive: true });
  // Several may do so at a time, and nobody must see half of it.
  if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) {
    fs.writeFileSync(`${file}.${process.pid}`, text);
    fs.renameSync(`${file}.${process.pid}`, file);
  }
  return file;
}

exports.wrapFile = wrapFile;
