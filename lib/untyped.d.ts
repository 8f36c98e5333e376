// The packages that ship no types, as far as Ignis uses them.

declare module 'pidusage' {
  interface Usage {
    cpu: number;
    memory: number;
    pid: number;
    ctime: number;
    elapsed: number;
    timestamp: number;
  }
  function pidusage(pid: number): Promise<Usage>;
  function pidusage(pids: number[]): Promise<Record<string, Usage>>;
  export = pidusage;
}

declare module 'msgpack-lite' {
  const msgpack: any;
  export = msgpack;
}

declare module 'node-ipc' {
  const ipc: any;
  export = ipc;
}

declare module 'yargs' {
  const yargs: (args?: readonly string[], folder?: string) => any;
  export = yargs;
}
