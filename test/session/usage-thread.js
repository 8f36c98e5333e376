'use strict';

// Calls a replica some times, and then no more, until it has nothing to report.
// In: nothing. Out: to the parent, how many calls were reported, and how many reports there were when it was quiet and some time after
// that. In a thread of its own: the reports go by how busy the event loop is, with all that others have left there.

const { parentPort } = require('node:worker_threads');
const { Link } = require('../helpers/link');
const { until } = require('../helpers/until');
const { burn, share } = require('./usage-load');

async function run() {
  const link = new Link({ burn });
  await link.load();
  for (let i = 0; i < 5; i++) await link.call('burn', 1);
  const reported = () => link.usage.reduce((sum, { calls }) => sum + calls, 0);
  await until(() => reported() >= 5 && link.usage.at(-1)?.calls === 0, 'a report of nothing');
  // Looked at seldom: to look is work, too.
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return share(link.usage.at(-1)) <= 0.05;
  }, 'quiet');
  const { length } = link.usage;
  // Both sides share this event loop, which is idle meanwhile: a timer of theirs would run before this one.
  await new Promise((resolve) => setTimeout(resolve, 200));
  parentPort?.postMessage({ calls: reported(), whenQuiet: length, later: link.usage.length });
  await link.close();
}

void run();
