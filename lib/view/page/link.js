// The page's link to the program. In: snapshots, answers. Out: the same, to listeners; questions to the program. A lost link is opened
// again, soon at first, then less often. A link on which nothing comes is reported but kept: a busy program will go on with it.

const SILENT_MS = 5000;
const FIRST_MS = 500;
const LONGEST_MS = 5000;

export class Link {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  #open = new Map();
  #next = 1;
  #waitMs = FIRST_MS;
  #heardAt = 0;
  #onState;
  #onSnapshot;

  /** @param {{onState: (state: 'opening' | 'live' | 'lost') => void, onSnapshot: (snapshot: any) => void}} given */
  constructor({ onState, onSnapshot }) {
    this.#onState = onState;
    this.#onSnapshot = onSnapshot;
    this.#connect();
    setInterval(() => this.#check(), 1000);
    // Whoever comes back to the page does not want to wait.
    addEventListener('online', () => this.#socket?.close());
  }

  /** @param {string} what @param {any} about @returns {Promise<any>} */
  ask(what, about) {
    const socket = this.#socket;
    if (socket === null || socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error('The program cannot be reached.'));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, what, about }));
    });
  }

  #connect() {
    const socket = new WebSocket(new URL('live', location.href.replace(/^http/, 'ws')));
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.onmessage = ({ data }) => {
      this.#heardAt = performance.now();
      this.#waitMs = FIRST_MS;
      const { kind, id, value, error, snapshot } = JSON.parse(data);
      if (kind === 'snapshot') {
        this.#onState('live');
        return this.#onSnapshot(snapshot);
      }
      const waiting = this.#open.get(id);
      this.#open.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(error));
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#onState('lost');
      for (const { reject } of this.#open.values()) reject(new Error('The program cannot be reached.'));
      this.#open.clear();
      setTimeout(() => this.#connect(), this.#waitMs);
      this.#waitMs = Math.min(LONGEST_MS, this.#waitMs * 2);
    };
  }

  #check() {
    // The other side has not closed it, but nothing comes: its event loop is blocked, or the machine is gone.
    if (this.#socket !== null && performance.now() - this.#heardAt > SILENT_MS) this.#onState('lost');
  }
}
