// Who answers questions: the server that sent this page, or Python in a worker. One question is
// under way at a time; of those that come meanwhile only the latest is asked.

const PATIENCE = 400;  // milliseconds

export class Engine {
  constructor(data, told, failed) {
    this.told = told;
    this.failed = failed;  // told the sentence, whether it is of the latest, and whether Python read it
    this.silence = data.engine === "worker" ? "Python does not start in this browser."
      : "There is no answer: is refsvm play still running?";
    this.slow = () => {};  // told whether an answer takes long
    this.number = 0;
    this.busy = false;
    this.waiting = null;
    this.send = data.engine === "worker" ? workerSender() : serverSender(data.token);
  }

  /** Ask for the answer to a state; only the answer to the latest question is told. */
  ask(question) {
    this.number += 1;
    this.waiting = { ...question, number: this.number };
    if (!this.busy) this.next();
  }

  /** Take no answer to what was asked so far as the latest. */
  forget() {
    this.number += 1;
    this.waiting = null;
  }

  /** Whether everything asked for has been told. */
  get idle() {
    return !this.busy && !this.waiting;
  }

  async next() {
    const question = this.waiting;
    this.waiting = null;
    this.busy = true;
    const begun = performance.now(), late = setTimeout(() => this.slow(true), PATIENCE);
    try {
      const answer = JSON.parse(await this.send(JSON.stringify(question)));
      if (answer.error) this.failed(answer.error, (answer.number ?? this.number) === this.number, "number" in answer);
      else this.told(answer, performance.now() - begun, answer.number === this.number);
    } catch {
      this.failed(this.silence, true, false);
    }
    clearTimeout(late);
    this.slow(false);
    this.busy = false;
    if (this.waiting) this.next();
  }
}

function serverSender(token) {
  return async (text) => {
    const response = await fetch("answer", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Refsvm": token },
      body: text,
    });
    return response.text();
  };
}

/** What asks Python in a worker, one question at a time; it starts when first asked. */
export function workerSender(query = "") {
  let worker = null, settle = null;
  const start = () => {
    worker = new Worker(new URL(`worker.js${query}`, import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => settle?.resolve(data);
    worker.onerror = (event) => { event.preventDefault(); settle?.reject(new Error("worker")); };
  };
  const send = (text) => new Promise((resolve, reject) => {
    settle = { resolve, reject };
    if (!worker) start();
    worker.postMessage(text);
  });
  send.stop = () => {
    worker?.terminate();
    worker = null;
    settle?.reject(new Error("stopped"));
  };
  return send;
}
