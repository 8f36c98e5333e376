/** Starts Ignis as it is imported: `node --import ignis/register`, or `import 'ignis/register'` before all other imports. It exports nothing. */
export {};
