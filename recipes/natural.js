'use strict';

// natural 0.6.3: language processing. Loading it takes a second and 110 MB, so each replica costs as much.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'natural',
  versions: ['0.6.3'],
  evidence: [
    'The listed functions read only their arguments and constant tables.',
    'They cost microseconds a word, so sending one word a call never pays. Sending a whole text does, to a file of your own that calls tokenizeAndStem.',
    'Not listed: tokenizeAndStem (it reads the list of stop words, which addStopWord changes and which the program can get as an array), NGrams (setTokenizer), LevenshteinDistance (it writes a global variable when it searches), and all classes.',
    'The module as a whole keeps state (stop words, tokenizer, attach), so the recipe says nothing of it.',
    'Read in lib/natural/stemmers, phonetics and distance.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const { PorterStemmer } = require('natural');",
    '',
    '// Stop words are added here, so that every replica has the same.',
    'exports.stems = (text, keepStops) => PorterStemmer.tokenizeAndStem(text, keepStops);',
    '',
  ].join('\n'),
  keeps: ['Stop words (addStopWord, removeStopWord), the tokenizer of NGrams, and the methods that attach adds to String.'],
  pays: [
    { function: 'PorterStemmer.stem', input: 'a word of 28 letters', bytes: 37, ms: 0.0087, homeMs: 0.00731, breakEven: 'never' },
    {
      function: 'DiceCoefficient',
      input: 'two texts of 480 letters',
      bytes: 973,
      ms: 0.904,
      homeMs: 0.289,
      breakEven: 'two texts of 80 letters',
    },
    { function: 'stems (own file)', input: '16 kB', bytes: 16501, ms: 7.19, homeMs: 0.831, breakEven: '2 kB' },
  ],
  recipe: {
    functions: {
      'PorterStemmer.stem': { pure: true },
      'LancasterStemmer.stem': { pure: true },
      'SoundEx.process': { pure: true },
      'Metaphone.process': { pure: true },
      JaroWinklerDistance: { pure: true },
      DiceCoefficient: { pure: true },
      HammingDistance: { pure: true },
    },
  },
};
