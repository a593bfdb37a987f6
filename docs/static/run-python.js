// Python of a page: one interpreter in a worker, which starts when it is first asked.

import { workerSender } from "../play/engine.js";

const send = workerSender("?module=docs.run_blocks&with=course.zip");
let turn = Promise.resolve();

/** Which interpreter answers: each stop() ends one; and whether this one has answered yet. */
export const python = { number: 1, started: false };

/** Do a task that asks, after those that came before it; none of them is done after stop(). */
export function inTurn(task) {
  const number = python.number;
  const done = turn.then(() => {
    if (number !== python.number) throw new Error("stopped");
    return task();
  });
  turn = done.catch(() => {});
  return done;
}

/** The answer to a question. */
export async function ask(question) {
  const number = python.number;
  try {
    const answer = JSON.parse(await send(JSON.stringify(question)));
    python.started = true;
    return answer;
  } catch (error) {
    const words = python.started ? "Python has ended; the next Run starts it anew."
      : "Python does not start in this browser.";
    if (number !== python.number) throw new Error("stopped");
    stop();
    throw new Error(words, { cause: error });
  }
}

/** End the interpreter and what waits for it; the next question starts another. */
export function stop() {
  python.number += 1;
  python.started = false;
  send.stop();
}
