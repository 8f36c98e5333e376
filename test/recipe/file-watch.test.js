'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { mock } = require('node:test');
const { FileWatch } = require('../../lib/recipe/file-watch.js');
const { until } = require('../helpers/until.js');

describe('recipe/file-watch', () => {
  let folder;
  let file;
  let watch;
  let told;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-watch-')));
    file = path.join(folder, 'a.json');
    fs.writeFileSync(file, 'old');
    told = [];
  });
  afterEach(() => {
    watch.close();
    mock.restoreAll();
    fs.rmSync(folder, { recursive: true });
  });

  const open = (name = file, onContent = (content) => void told.push(content)) => (watch = new FileWatch(name, onContent));
  const beside = (text) => {
    fs.writeFileSync(`${file}.tmp`, text);
    fs.renameSync(`${file}.tmp`, file);
  };

  it('tells a new content once, however it was written', async () => {
    open();
    fs.writeFileSync(file, 'new');
    await until(() => told.length === 1, 'a write');
    beside('newer');
    await until(() => told.length === 2, 'a rename');
    fs.appendFileSync(file, ' still');
    await until(() => told.length === 3, 'an addition');
    assert.deepEqual(told, ['new', 'newer', 'newer still']);
  });

  it('tells nothing of the same content, of an empty file, of none, and of another one', async () => {
    open();
    beside('old');
    fs.writeFileSync(path.join(folder, 'b.json'), 'other');
    fs.writeFileSync(file, '');
    fs.rmSync(file);
    fs.writeFileSync(file, ' \n');
    fs.writeFileSync(file, 'old');
    // What comes last is told last, so nothing was told of what came before.
    fs.writeFileSync(file, 'new');
    await until(() => told.length > 0, 'the last one');
    assert.deepEqual(told, ['new']);
  });

  it('waits until the content stands still', async () => {
    open();
    const all = Array.from({ length: 40 }, (_, i) => `part ${i}`).join('\n');
    for (let end = 50; end < all.length; end += 50) {
      fs.writeFileSync(file, all.slice(0, end));
      await new Promise(setImmediate);
    }
    fs.writeFileSync(file, all);
    await until(() => told.includes(all), 'the whole');
    assert.equal(told.at(-1), all);
  });

  it('is not told of the next one before the last was taken up, and misses none', async () => {
    let take;
    open(file, async (content) => {
      told.push(content);
      await new Promise((resolve) => (take = resolve));
    });
    fs.writeFileSync(file, 'first');
    await until(() => told.length === 1, 'the first');
    fs.writeFileSync(file, 'second');
    assert.equal(fs.readFileSync(file, 'utf8'), 'second');
    await new Promise(setImmediate);
    assert.deepEqual(told, ['first']);
    take();
    await until(() => told.length === 2, 'the second');
    take();
    assert.deepEqual(told, ['first', 'second']);
  });

  it('follows a link to where it leads', async () => {
    const link = path.join(folder, 'link.json');
    fs.symlinkSync(file, link);
    open(link);
    fs.writeFileSync(file, 'new');
    await until(() => told.length === 1, 'the file that it leads to');
  });

  it('polls where folders cannot be watched', async () => {
    const watched = mock.method(fs, 'watch', () => {
      throw Object.assign(new Error('no more watches'), { code: 'ENOSPC' });
    });
    const polled = mock.method(fs, 'watchFile', (name, options, listener) => polled.mock.calls.push({ name, options, listener }));
    open();
    assert.equal(watched.mock.callCount(), 1);
    const [name, options, look] = polled.mock.calls[0].arguments;
    assert.deepEqual([name, options.persistent], [file, false]);
    fs.writeFileSync(file, 'new');
    look();
    await until(() => told.length === 1, 'a poll');
  });

  it('polls from then on where the watch of a folder fails', () => {
    const polled = mock.method(fs, 'watchFile', () => {});
    const watched = mock.method(fs, 'watch');
    open();
    watched.mock.calls[0].result.emit('error', new Error('gone'));
    assert.equal(polled.mock.callCount(), 1);
  });

  it('tells nothing after it was closed', async () => {
    open();
    fs.writeFileSync(file, 'new');
    watch.close();
    watch.close();
    const other = [];
    watch = new FileWatch(file, (content) => void other.push(content));
    fs.writeFileSync(file, 'newer');
    await until(() => other.length === 1, 'another watch');
    assert.deepEqual(told, []);
  });
});
