'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { WikiClient } = require('./wiki-client.js');

describe('wiki: reading', () => {
  /** @type {WikiClient} */
  let wiki;
  before(async () => {
    wiki = await WikiClient.start();
  });
  after(() => wiki.end());

  it('the start leads to the front page', async () => {
    const { status, location } = await wiki.get('/');
    assert.equal(status, 302);
    assert.equal(location, '/wiki/Home');
  });

  it('every sample page shows, links only to pages there are, and has five links that lead out', async () => {
    const { text: index } = await wiki.get('/pages');
    const addresses = [...index.matchAll(/<li><a href="([^"]+)"/g)].map((match) => match[1]);
    assert.ok(addresses.length >= 12);
    for (const address of addresses) {
      const { status, text } = await wiki.get(address);
      assert.equal(status, 200);
      const links = Number(/(\d+) checked/.exec(text)?.[1] ?? 0);
      assert.ok(links >= 5 && links <= 15, `${address} has ${links} links`);
      if (address.endsWith('Writing_Pages')) continue;
      assert.doesNotMatch(text, /class="[^"]*missing/, address);
      assert.doesNotMatch(text, /class="broken"/, address);
    }
  });

  it('broken and untidy links are marked, each with its reason', async () => {
    const { text } = await wiki.get('/wiki/Writing_Pages');
    assert.match(text, /9 checked, 2 broken/);
    assert.match(
      text,
      /<li class="broken"><span class="address">http:\/\/example\.org\/a b<\/span><span class="why">URI is not strictly valid\./,
    );
    assert.match(text, /better written as http:\/\/example\.org\/a\/c/);
  });

  it('search finds pages with all words, title first', async () => {
    const { text } = await wiki.get('/search?q=raft%20leader');
    const found = [...text.matchAll(/<li><a href="\/wiki\/([^"]+)"/g)].map((match) => match[1]);
    assert.equal(found[0], 'Raft');
    assert.ok(found.includes('Paxos'));
    assert.match((await wiki.get('/search?q=zzzunheardof')).text, /Nothing for/);
    assert.match((await wiki.get('/search?q=')).text, /Nothing for/);
  });

  it('what a reader asks for is shown as text, never as HTML', async () => {
    const { text } = await wiki.get(`/search?q=${encodeURIComponent('<script>alert(1)</script>')}`);
    assert.doesNotMatch(text, /<script>/);
    assert.match(text, /&lt;script&gt;/);
  });

  it('an unknown page is a 404 that offers to write it', async () => {
    const { status, text } = await wiki.get('/wiki/No_Such_Page');
    assert.equal(status, 404);
    assert.match(text, /\/wiki\/No_Such_Page\/edit/);
    assert.equal((await wiki.get('/wiki/No_Such_Page/history')).status, 404);
    assert.equal((await wiki.get('/wiki/Raft/history/99')).status, 404);
    assert.equal((await wiki.get('/nowhere')).status, 404);
  });

  for (const name of ['..%2fsecret', '..%2f..%2fserver', '%2e%2e%2fsecret', '.hidden', 'a%00b', '..%5csecret', 'x'.repeat(101)]) {
    it(`a page cannot be called ${name.slice(0, 30)}`, async () => {
      const { status, text } = await wiki.get(`/wiki/${name}`);
      assert.equal(status, 404);
      assert.match(text, /cannot have this name/);
    });
  }

  it('a path that climbs out reaches nothing', async () => {
    // fetch would tidy such a path before sending it.
    for (const climbing of ['/wiki/../../secret', '/public/../server.js', '/public/..%2fserver.js', '/%2e%2e/%2e%2e/secret']) {
      const status = await new Promise((resolve, reject) => {
        http
          .get(wiki.url, { path: climbing, agent: false }, (response) => {
            response.resume();
            resolve(response.statusCode);
          })
          .on('error', reject);
      });
      assert.ok(status >= 300 && status < 500, `${climbing}: ${status}`);
      assert.notEqual(status, 200);
    }
  });

  it('an address that cannot be decoded is a 400', async () => {
    assert.equal((await wiki.get('/wiki/%E0%A4%A')).status, 400);
  });
});

describe('wiki: writing', () => {
  /** @type {WikiClient} */
  let wiki;
  before(async () => {
    wiki = await WikiClient.start();
    await wiki.enter('/sign-up', 'alice', 'correct horse');
  });
  after(() => wiki.end());

  it('a new page is saved and shown; each save keeps the version before', async () => {
    assert.equal((await wiki.save('Tea', 'first *text*')).location, '/wiki/Tea');
    assert.equal((await wiki.save('Tea', 'second text')).status, 303);
    assert.match((await wiki.get('/wiki/Tea')).text, /second text/);
    const { text } = await wiki.get('/wiki/Tea/history');
    assert.match(text, /Version 2[^]*alice[^]*from a test[^]*Version 1/);
    const old = await wiki.get('/wiki/Tea/history/1');
    assert.match(old.text, /first <em>text<\/em>/);
    assert.match(old.text, /saved by alice/);
  });

  it('who began from an old version is shown both texts and loses neither', async () => {
    await wiki.save('Clash', 'one');
    const { token, base } = await wiki.form('Clash');
    await wiki.save('Clash', 'theirs');
    const refused = await wiki.post('/wiki/Clash', { token, base, text: 'mine', comment: '' });
    assert.equal(refused.status, 409);
    assert.match(refused.text, /theirs/);
    assert.match(refused.text, /mine/);
    assert.match((await wiki.get('/wiki/Clash')).text, /theirs/);
  });

  it('of several saves at the same moment one wins', async () => {
    const { token, base } = await wiki.form('Race');
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((text) => wiki.post('/wiki/Race', { token, base, text })));
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [303, 409, 409, 409]);
  });

  it('a preview judges links and saves nothing', async () => {
    const { token, base } = await wiki.form('Draft');
    const { text } = await wiki.post('/wiki/Draft/preview', { token, base, text: '[x](<http://a b/>)' });
    assert.match(text, /1 checked, 1 broken/);
    assert.equal((await wiki.get('/wiki/Draft')).status, 404);
  });

  it('HTML in a text is shown, and an address that a browser could run is no link', async () => {
    await wiki.save(
      'Attack',
      '<script>alert(1)</script>\n\n[x](javascript:alert(1)) [y](" onclick="z)\n\n<b onclick=x>b</b>\n\n![i](javascript:1)',
    );
    const { text } = await wiki.get('/wiki/Attack');
    const article = text.slice(text.indexOf('<article>'), text.indexOf('</article>'));
    assert.doesNotMatch(article, /<script|<b |href="javascript|src="javascript|<[a-z]+ [^>]*onclick/);
    assert.match(article, /&lt;script&gt;/);
  });

  it('a form without our token is refused', async () => {
    assert.equal((await wiki.post('/wiki/Forged', { token: 'x', base: '0', text: 'y' })).status, 403);
    assert.equal((await wiki.post('/wiki/Forged', { base: '0', text: 'y' })).status, 403);
  });

  it('a body that is too large is a 413, and the wiki goes on', async () => {
    const { token, base } = await wiki.form('Large');
    const { status, text } = await wiki.post('/wiki/Large', { token, base, text: 'x'.repeat(300000) });
    assert.equal(status, 413);
    assert.match(text, /too large/);
    assert.equal((await wiki.get('/wiki/Raft')).status, 200);
  });

  it('line ends of a browser are stored as line feeds', async () => {
    await wiki.save('Lines', 'a\r\nb');
    assert.equal(fs.readFileSync(path.join(wiki.data, 'pages', 'Lines.md'), 'utf8'), 'a\nb');
  });
});

describe('wiki: accounts', () => {
  /** @type {WikiClient} */
  let wiki;
  before(async () => {
    wiki = await WikiClient.start();
  });
  beforeEach(() => {
    wiki.cookie = '';
  });
  after(() => wiki.end());

  it('editing leads to the sign-in, and from there back', async () => {
    const { status, location } = await wiki.get('/wiki/Raft/edit');
    assert.equal(status, 303);
    assert.equal(location, '/sign-in?next=%2Fwiki%2FRaft%2Fedit');
    assert.equal((await wiki.post('/wiki/Raft', { text: 'x', base: '1' })).location, '/sign-in?next=%2Fwiki%2FRaft');
    assert.doesNotMatch((await wiki.get('/wiki/Raft')).text, /<article>\s*<p>x</);
  });

  it('the right password enters, a wrong one and an unknown name are refused alike', async () => {
    await wiki.enter('/sign-up', 'bob', 'bobs password');
    wiki.cookie = '';
    const wrong = await wiki.enter('/sign-in', 'bob', 'not this one');
    const unknown = await wiki.enter('/sign-in', 'nobody', 'not this one');
    assert.deepEqual([wrong.status, unknown.status, wiki.cookie], [401, 401, '']);
    assert.equal(wrong.text.replaceAll('bob', ''), unknown.text.replaceAll('nobody', ''));
    const right = await wiki.enter('/sign-in', 'bob', 'bobs password');
    assert.equal(right.status, 303);
    assert.equal(right.location, '/wiki/Raft');
    assert.match(String(right.headers.get('set-cookie')), /HttpOnly; SameSite=Lax/);
    assert.match((await wiki.get('/wiki/Raft')).text, /<span class="user">bob<\/span>/);
  });

  it('the password is not on disk', async () => {
    await wiki.enter('/sign-up', 'carol', 'carols password');
    const stored = fs.readFileSync(path.join(wiki.data, 'accounts', 'carol.json'), 'utf8');
    assert.doesNotMatch(stored, /carols password/);
    assert.match(JSON.parse(stored).hash, /^[0-9a-f]{64}$/);
  });

  it('a taken name, a bad name and a short password make no account', async () => {
    await wiki.enter('/sign-up', 'dave', 'daves password');
    for (const [name, password] of [
      ['dave', 'another password'],
      ['../dave', 'long enough'],
      ['x', 'long enough'],
      ['erin', 'short'],
    ]) {
      wiki.cookie = '';
      assert.equal((await wiki.enter('/sign-up', name, password)).status, 400);
      assert.equal(wiki.cookie, '');
    }
    assert.ok(!fs.existsSync(path.join(wiki.data, 'accounts', 'erin.json')));
  });

  it('a session that was changed or is over is nobody', async () => {
    await wiki.enter('/sign-up', 'frank', 'franks password');
    const [key, session] = wiki.cookie.split('=');
    const [, until, signature] = session.split('.');
    for (const forged of [
      `root.${until}.${signature}`,
      `frank.${Number(until) + 1}.${signature}`,
      `frank.1.${signature}`,
      `frank.${until}.`,
      'x',
      '',
    ]) {
      wiki.cookie = `${key}=${forged}`;
      assert.match((await wiki.get('/wiki/Raft')).text, /Sign in<\/a>/);
    }
  });

  it('signing out takes a form of ours', async () => {
    await wiki.enter('/sign-up', 'grace', 'graces password');
    assert.equal((await wiki.post('/sign-out', {})).headers.get('set-cookie'), null);
    const { token } = await wiki.form('Raft');
    assert.match(String((await wiki.post('/sign-out', { token })).headers.get('set-cookie')), /Max-Age=0/);
  });

  it('after signing in nobody is led out of the wiki', async () => {
    await wiki.enter('/sign-up', 'heidi', 'heidis password');
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/a\r\nSet-Cookie: x']) {
      assert.equal((await wiki.post('/sign-in', { name: 'heidi', password: 'heidis password', next })).location, '/');
    }
  });
});
