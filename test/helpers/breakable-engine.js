'use strict';
/*
 * An engine whose connection the test cuts. In: an engine. Out: the same, of which requests fail while it is cut: before they arrive, or
 * after they were carried out and only the answer is lost. What it watches goes silent, as behind a cut cable.
 */
const { IgnisError } = require('../../lib/errors.js');

function breakable(engine) {
  let cut = null;
  const told = new Set();
  const requests = [];
  const guard =
    (name) =>
    async (...args) => {
      requests.push(name);
      const mode = cut;
      const down = () => new IgnisError('IGNIS_ENGINE_DOWN', `cut (${mode})`, { ran: 'maybe' });
      if (mode === 'before') throw down();
      const answer = await engine[name](...args);
      if (mode === 'answers' && name !== 'get') throw down();
      return answer;
    };
  const cuttable = Object.create(engine, {
    state: { get: () => (cut === 'before' ? 'down' : engine.state) },
  });
  for (const name of ['get', 'put', 'delete', 'append']) cuttable[name] = guard(name);
  cuttable.watch = (prefix, onChange, options) => {
    const held = [];
    const stop = engine.watch(prefix, (change) => (cut === null || cut === 'answers' ? onChange(change) : held.push(change)), options);
    told.add({ onMend: () => held.splice(0).forEach(onChange) });
    return stop;
  };
  cuttable.follow = (...args) => engine.follow(...args);
  const statuses = new Set();
  cuttable.status = (onStatus) => {
    statuses.add(onStatus);
    onStatus({ state: cuttable.state, error: null });
    return () => statuses.delete(onStatus);
  };
  cuttable.close = () => engine.close();
  return {
    engine: cuttable,
    requests,
    /** @param {'before' | 'answers' | 'watch'} mode what is lost: all, answers of writes, or only what is watched */
    cut(mode = 'before', { isNoticed = mode === 'before' } = {}) {
      cut = mode;
      if (isNoticed) for (const onStatus of statuses) onStatus({ state: 'down', error: null });
    },
    mend() {
      cut = null;
      for (const onStatus of statuses) onStatus({ state: 'up', error: null });
      for (const { onMend } of told) onMend();
    },
  };
}

exports.breakable = breakable;
