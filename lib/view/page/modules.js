// Boundaries, summed by module. In: a snapshot's boundaries. Out: one record for each replica set, the hottest first.

/** Boundaries of one replica set are one module here, called from several files. @param {any[]} boundaries */
export function modulesOf(boundaries) {
  /** @type {Map<string, any>} */
  const modules = new Map();
  for (const one of boundaries) {
    const known = modules.get(one.set) ?? {
      set: one.set,
      heat: 0,
      share: 0,
      away: 0,
      callsPerSecond: 0,
      pressure: 0,
      hottest: one,
      boundaries: [],
    };
    known.heat += one.heat;
    known.share += one.share;
    known.away += one.away;
    known.callsPerSecond += one.callsPerSecond;
    known.pressure = Math.max(known.pressure, one.pressure);
    if (one.heat > known.hottest.heat) known.hottest = one;
    known.boundaries.push(one);
    modules.set(one.set, known);
  }
  return [...modules.values()].sort((a, b) => b.heat - a.heat || b.pressure - a.pressure);
}
