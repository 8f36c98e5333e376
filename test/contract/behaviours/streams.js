'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const { Readable, Writable, Transform, Duplex, PassThrough, Stream, finished } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const { text, buffer } = require('node:stream/consumers');
const { caught } = require('../caught');

exports.title = 'streams';
exports.fixture = 'streams.js';

/** A sink of home, and what came into it. */
function sink(options = {}) {
  const chunks = [];
  const stream = new Writable({
    ...options,
    write(chunk, encoding, done) {
      chunks.push(chunk);
      setImmediate(done);
    },
  });
  return { stream, chunks };
}

exports.behaviours = {
  async 'a readable of the module is read with for await'(m) {
    const seen = [];
    for await (const item of m.source([{ a: 1 }, [2], 'three'])) seen.push(item);
    assert.deepEqual(seen, [{ a: 1 }, [2], 'three']);
  },
  async 'a readable of the module is read with data and end'(m) {
    const source = m.counter(5, 10);
    let length = 0;
    source.on('data', (chunk) => {
      assert.ok(Buffer.isBuffer(chunk));
      length += chunk.length;
    });
    await once(source, 'end');
    assert.equal(length, 50);
    assert.equal(source.readableEnded, true);
  },
  async 'a readable of the module is read by hand'(m) {
    const source = m.pass();
    source.write('abcdef');
    await once(source, 'readable');
    assert.equal(source.read(2).toString(), 'ab');
    assert.equal(source.read().toString(), 'cdef');
    assert.equal(source.read(), null);
    source.destroy();
  },
  async 'a readable of the module is read by consumers of Node'(m) {
    assert.equal(await text(m.source(['a', 'b'])), 'ab');
    assert.equal((await buffer(m.counter(3, 1000))).length, 3000);
    assert.deepEqual(await m.source([1, 2, 3]).map((n) => n * 2).toArray(), [2, 4, 6]); // prettier-ignore
  },
  async 'with an encoding it gives strings'(m) {
    const source = m.pass();
    source.setEncoding('utf8');
    source.end(Buffer.from('é'));
    const [chunk] = await once(source, 'data');
    assert.equal(chunk, 'é');
  },
  'streams of the module have their classes'(m) {
    const made = [m.source([]), m.sink(), m.upper(), m.echo(), m.pass()];
    const classes = [Readable, Writable, Transform, Duplex, PassThrough];
    classes.forEach((Class, at) => {
      assert.ok(made[at] instanceof Class);
      assert.ok(made[at] instanceof Stream);
      made[at].destroy();
    });
    assert.ok(m.isReadable(new PassThrough()));
  },
  async 'a writable of the module takes chunks and ends'(m) {
    const target = m.sink();
    target.write('a');
    target.write(Buffer.from('b'));
    target.end('c');
    await once(target, 'finish');
    assert.equal(Buffer.concat([...target.chunks]).toString(), 'abc');
    assert.equal(target.ended, true);
    assert.equal(target.writableFinished, true);
  },
  async 'a write calls back'(m) {
    const target = m.sink({ objectMode: true });
    const thing = { a: 1 };
    const error = await new Promise((resolve) => target.write(thing, resolve));
    assert.equal(error ?? null, null);
    assert.equal(target.chunks[0], thing);
    target.destroy();
  },
  async 'a writable of the module pushes back'(m) {
    const target = m.sink({ highWaterMark: 2, objectMode: true, slow: true });
    assert.deepEqual([target.write(1), target.write(2), target.writableNeedDrain, target.writableLength], [true, false, true, 2]);
    await once(target, 'drain');
    assert.equal(target.writableLength, 0);
    target.destroy();
  },
  async 'a writable of home pushes the module back'(m) {
    const { stream, chunks } = sink({ highWaterMark: 2, objectMode: true });
    const answers = await m.writeAll(stream, [1, 2, 3, 4, 5]);
    await once(stream, 'finish');
    assert.deepEqual(chunks, [1, 2, 3, 4, 5]);
    assert.ok(answers.includes(false));
  },
  async 'a slow reader holds the module back'(m) {
    m.reads = 0;
    const source = m.counter(1000, 16);
    await once(source, 'readable');
    await new Promise(setImmediate);
    assert.ok(m.reads < 20, `${m.reads} reads`);
    source.destroy();
  },
  async 'one of the module that is destroyed has told so before the next event'(m) {
    const target = m.sink();
    const told = [];
    target.on('close', () => told.push('close'));
    const next = new Promise(setImmediate);
    target.destroy();
    await next;
    assert.deepEqual(told, ['close']);
  },
  async 'pipe from the module to home'(m) {
    const { stream, chunks } = sink();
    assert.equal(m.counter(10, 3).pipe(stream), stream);
    await once(stream, 'finish');
    assert.equal(Buffer.concat(chunks).length, 30);
  },
  async 'pipe from home to the module'(m) {
    const target = m.sink();
    assert.equal(Readable.from(['a', 'b']).pipe(target), target);
    await once(target, 'finish');
    assert.equal(Buffer.concat([...target.chunks]).toString(), 'ab');
  },
  async 'pipe of home’s streams by the module'(m) {
    const { stream, chunks } = sink();
    assert.equal(m.pipeInto(Readable.from(['x', 'y']), stream), stream);
    await once(stream, 'finish');
    assert.equal(Buffer.concat(chunks).toString(), 'xy');
  },
  async 'a transform of the module between streams of home'(m) {
    const { stream, chunks } = sink();
    await pipeline(Readable.from(['ab', 'c']), m.upper(), stream);
    assert.equal(Buffer.concat(chunks).toString(), 'ABC!');
  },
  async 'a transform of home between streams of the module'(m) {
    const target = m.sink({ objectMode: true });
    const add = new Transform({ objectMode: true, transform: (n, encoding, done) => done(null, n + 1) });
    await pipeline(m.source([1, 2, 3]), add, target);
    assert.deepEqual([...target.chunks], [2, 3, 4]);
  },
  async 'a pipeline of the module over streams of both'(m) {
    const { stream, chunks } = sink({ objectMode: true });
    await m.pipeAll(Readable.from([1, 2]), m.doubler(), stream);
    assert.deepEqual(chunks, [1, 1, 2, 2]);
    const error = await new Promise((resolve) => m.pipeBack([m.source(['z']), sink().stream], resolve));
    assert.equal(error ?? null, null);
  },
  async 'zipped and unzipped by the module'(m) {
    const input = 'text '.repeat(10000);
    assert.equal(await text(Readable.from([input]).pipe(m.gzip()).pipe(m.gunzip())), input);
  },
  async 'a duplex of the module'(m) {
    const echo = m.echo();
    const all = text(echo);
    echo.write('a');
    echo.end('b');
    assert.equal(await all, 'echo aecho b');
  },
  async 'the module consumes a readable of home'(m) {
    assert.equal(await m.collect(Readable.from(['a', 'b'])), 'ab');
    assert.deepEqual(await m.collect(Readable.from([{ a: 1 }])), [{ a: 1 }]);
    const bytes = Readable.from([Buffer.alloc(70000, 1), Buffer.alloc(70000, 2)]);
    assert.equal((await m.collect(bytes)).length, 140000);
  },
  async 'an error of a readable of the module'(m) {
    const error = new RangeError('source broke');
    const source = m.failing(2, error);
    const seen = [];
    await assert.rejects(
      async () => {
        for await (const item of source) seen.push(item);
      },
      (thrown) => thrown === error,
    );
    assert.deepEqual(seen, [1, 2].slice(0, seen.length)); // what is not read yet is dropped
    assert.equal(source.destroyed, true);
    assert.equal(source.errored, error);
  },
  async 'an error of a writable of the module'(m) {
    const error = new Error('disk full');
    const target = m.brokenSink(error);
    target.write('x');
    const [thrown] = await once(target, 'error');
    assert.equal(thrown, error);
    await assert.rejects(pipeline(Readable.from(['x']), m.brokenSink(error)), (rejection) => rejection === error);
  },
  async 'destroy by home reaches the module'(m) {
    const source = m.counter(1000, 10);
    const error = new Error('not wanted');
    source.destroy(error);
    const [thrown] = await once(source, 'error');
    assert.equal(thrown, error);
    assert.equal(m.destroyedBy, error);
    assert.equal(source.destroyed, true);
  },
  async 'an early break destroys a readable of the module'(m) {
    const source = m.counter(1000, 10);
    for await (const chunk of source) if (chunk[0] === 2) break;
    assert.equal(source.destroyed, true);
  },
  async 'a readable of home that fails breaks the pipeline of the module'(m) {
    const error = new Error('home broke');
    const failing = new Readable({
      read() {
        this.destroy(error);
      },
    });
    await assert.rejects(m.pipeAll(failing, m.sink()), (rejection) => rejection === error);
    assert.equal(failing.destroyed, true);
  },
  async 'finished of node:stream'(m) {
    const target = m.sink();
    const done = new Promise((resolve) => finished(target, resolve));
    target.end('x');
    assert.equal((await done) ?? null, null);
  },
  async 'a class of home extends a transform of the module'(m) {
    class Louder extends m.Loud {
      louder(chunk) {
        return `${super.louder(chunk)}!!`;
      }
    }
    const louder = new Louder();
    louder.end('hey');
    assert.equal(await text(louder), 'HEY!!');
    assert.ok(louder instanceof Transform);
  },
  async 'a readable stream of the web, made by the module'(m) {
    const stream = m.webSource(['a', 'b']);
    assert.ok(stream instanceof ReadableStream);
    const seen = [];
    for await (const item of stream) seen.push(item);
    assert.deepEqual(seen, ['a', 'b']);
    const reader = m.webSource([1]).getReader();
    assert.deepEqual([await reader.read(), (await reader.read()).done], [{ done: false, value: 1 }, true]);
  },
  async 'a readable stream of the web is cancelled'(m) {
    const stream = m.endless();
    const reader = stream.getReader();
    assert.equal((await reader.read()).value, 0);
    await reader.cancel('enough');
    assert.equal(m.cancelled, 'enough');
  },
  async 'a writable and a transform stream of the web'(m) {
    const { stream, items } = m.webSink();
    await new ReadableStream({
      start(controller) {
        controller.enqueue('x');
        controller.close();
      },
    })
      .pipeThrough(m.webUpper())
      .pipeTo(stream);
    assert.deepEqual([...items], ['X']);
  },
  async 'a stream of the web breaks on its way through the module, and is read, and nothing else breaks'(m) {
    const nobody = new Error('nobody');
    const seen = [];
    const [reason] = await caught('unhandledRejection', async () => {
      const broken = new ReadableStream({
        start(controller) {
          controller.enqueue('x');
          controller.enqueue(1);
        },
      });
      try {
        for await (const item of broken.pipeThrough(m.webUpper())) seen.push(item);
      } catch (error) {
        seen.push(error.constructor);
      }
      await new Promise(setImmediate);
      Promise.reject(nobody);
    });
    // First, as it is why, where the other fails too.
    assert.equal(reason, nobody);
    assert.deepEqual(seen, ['X', TypeError]);
  },
  async 'a stream of the web is written to after another that was piped into it'(m) {
    const nobody = new Error('nobody');
    const { stream, items } = m.webSink();
    const [reason] = await caught('unhandledRejection', async () => {
      for (const text of ['a', 'b']) await m.webSource([text]).pipeTo(stream, { preventClose: true });
      for (const text of ['c', 'd'])
        await new Blob([text]).stream().pipeThrough(new TextDecoderStream()).pipeTo(stream, { preventClose: true });
      await new Promise(setImmediate);
      Promise.reject(nobody);
    });
    assert.deepEqual([...items], ['a', 'b', 'c', 'd']);
    assert.equal(reason, nobody);
  },
  async 'a stream of the web of the module becomes one of Node, and one of Node of home becomes one of the web there'(m) {
    assert.equal(Buffer.concat(await Readable.fromWeb(m.toWeb(Readable.from(['a', 'b']))).toArray()).toString(), 'ab');
    assert.equal(Buffer.concat(await m.fromWeb(Readable.toWeb(Readable.from(['c', 'd']))).toArray()).toString(), 'cd');
  },
  async 'the module consumes a stream of the web of home'(m) {
    assert.equal(await m.collect(new Blob(['blob']).stream().pipeThrough(new TextDecoderStream())), 'blob');
    const web = m.toWeb(Readable.from(['w']));
    assert.ok(web instanceof ReadableStream);
    assert.equal((await web.getReader().read()).value, 'w');
  },
};
