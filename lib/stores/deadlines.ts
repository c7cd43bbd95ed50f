/** A question with a bound. Whoever has its answer sets `over`. */
export interface Question {
  over: boolean;
}

interface Asked extends Question {
  at: number;
  late: () => void;
}

/**
 * One bound on many questions, with one timer for all that are open: a timer of its own for each would cost more than
 * the question. `late` is called after `ms`, and not before the event loop has made one more turn: when this process
 * itself was held up, an answer may be there that nobody has read yet.
 */
export function deadlines(ms: number): { begin(late: () => void): Question } {
  let asked: Asked[] = [];
  /** Those before it are over. */
  let first = 0;
  let armed = false;

  const arm = (inMs: number): void => {
    armed = true;
    setTimeout(() => setImmediate(check), inMs);
  };

  const check = (): void => {
    const now = performance.now();
    for (; first < asked.length; first++) {
      const question = asked[first]!;
      if (question.over) continue;
      if (question.at + ms > now) break;
      question.over = true;
      question.late();
    }
    asked = asked.slice(first);
    first = 0;
    if (asked.length > 0) arm(asked[0]!.at + ms - now);
    else armed = false;
  };

  return {
    begin(late) {
      const question: Asked = { over: false, at: performance.now(), late };
      asked.push(question);
      if (!armed) arm(ms);
      return question;
    },
  };
}
