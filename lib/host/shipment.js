'use strict';
/*
 * Sends a bundle to a host. In: a link to a daemon, a bundle. Out: all missing files of it are there, sent in pieces, each from where an
 * earlier try stopped; small ones side by side, since a package has thousands of them, each of which is a journey there and back. A file
 * that has changed since the bundle was made is not sent: whoever made the bundle makes another one, which keeps such a file's contents.
 */
const fs = require('node:fs');
const { isOutOfReach } = require('./closure');
const { inLanes } = require('./lanes');
const { digestOf } = require('./manifest');
const { IgnisError } = require('../errors');

/** @typedef {import('./control-link').ControlLink} ControlLink */

const CHUNK_BYTES = 256 * 1024;
/** How many files, of which size, are on their way at the same time: few enough that nothing else on the link waits long for them. */
const SIDE_BY_SIDE = 32;
const SMALL_BYTES = 32 * 1024;

/**
 * @param {ControlLink} link
 * @param {import('./bundle').Bundle} bundle
 * @param {string} title of the host
 * @returns {Promise<void>}
 * @throws {IgnisError} IGNIS_BAD_BUNDLE when a file has changed; as the host says
 */
async function sendBundle(link, { text, signature, digest, files, sizes, kept }, title) {
  const { missing } = await link.ask('offer', { text, signature });
  const [small, large] = [/** @type {any[]} */ ([]), /** @type {any[]} */ ([])];
  for (const one of missing) (Number(sizes.get(one.hash)) > SMALL_BYTES ? large : small).push(one);
  const send = async (/** @type {{hash: string, have: number}} */ { hash, have }) => {
    const place = files.get(hash);
    if (place === undefined) throw new IgnisError('IGNIS_BAD_BUNDLE', `${title} asks for a file that is not part of it`);
    // What was appended since then, as to a log, does not belong to it.
    const content = (kept.get(hash) ?? (await contentOf(place))).subarray(0, sizes.get(hash));
    if (digestOf(content) !== hash) throw changed(place);
    await sendFile(link, { digest, hash, content, place }, have);
  };
  await inLanes(small, send, SIDE_BY_SIDE);
  await inLanes(large, send, 1);
}

/** @param {string} place @returns {Promise<Buffer>} */
async function contentOf(place) {
  try {
    return await fs.promises.readFile(place);
  } catch (error) {
    throw isOutOfReach(error) ? changed(place) : error;
  }
}

/** @param {string} place */
const changed = (place) => new IgnisError('IGNIS_BAD_BUNDLE', `${place} was changed or taken away while it was sent`);

/** @param {ControlLink} link @param {{digest: string, hash: string, content: Buffer, place: string}} file @param {number} from */
async function sendFile(link, { digest, hash, content, place }, from) {
  let offset = from;
  do {
    // A copy: the link owns what it sends, and this may be a piece of a buffer that is used for other things.
    const chunk = new Uint8Array(content.subarray(offset, offset + CHUNK_BYTES));
    const { have } = await link.ask('chunk', { digest, hash, offset }, [chunk]);
    if (!(have > offset) && content.length > 0 && have !== content.length)
      throw new IgnisError('IGNIS_BAD_BUNDLE', `${place} makes no progress`);
    offset = have;
  } while (offset < content.length);
}

exports.sendBundle = sendBundle;
