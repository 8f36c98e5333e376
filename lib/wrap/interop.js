'use strict';

// Recognises helpers that compilers put around `require` so that an import has its `default` (Babel, TypeScript, swc, esbuild). In: a name,
// or a function. Out: whether it is such a helper. It is in each file, or imported from the compiler's own package. Its result is what the
// file imports; so it is given modules as the file sees them, and does not count as a call.

const NAME =
  /^_{0,2}(?:importDefault|importStar|interopRequireDefault|interopRequireWildcard|interop_require_default|interop_require_wildcard|toESM)$/;

/** @param {string} name @returns {boolean} */
const isInteropName = (name) => NAME.test(name);

/** @param {Function} fn @returns {boolean} */
function isInterop(fn) {
  const name = Object.getOwnPropertyDescriptor(fn, 'name')?.value;
  return typeof name === 'string' && isInteropName(name);
}

exports.isInterop = isInterop;
exports.isInteropName = isInteropName;
