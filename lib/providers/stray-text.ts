import type { Frame } from '../wire';
import { isTooHeavy } from './heavy';

/** What lines outside the event framing mean. */
export interface StrayText {
  /** One more line. A frame once it is known what the lines are, null while they may still grow. */
  line(text: string): Frame | null;
  /** An event came in between: whatever was collected is over. */
  reset(): void;
  /** The body ended: JSON that had begun and was never finished, or null. */
  end(): string | null;
}

/**
 * Collects lines that are no SSE field. JSON may be spread over several of them: it is collected until it is whole
 * and then given to `judge`. One page or one sentence is one fault, however many lines it has.
 */
export function strayText(judge: (json: unknown) => Frame): StrayText {
  let collected = '';
  let attempts = 0;
  let reported = false;

  const forget = () => {
    collected = '';
    attempts = 0;
  };

  return {
    line(text) {
      if (reported) return null;
      collected += `${text}\n`;
      const start = collected.trimStart()[0];
      if (start === undefined) return null;
      if (start === '{' || start === '[') {
        const mayBeWhole = CLOSED.test(text) && ++attempts <= MAX_ATTEMPTS;
        const heavy = mayBeWhole && isTooHeavy(collected);
        const value = mayBeWhole && !heavy ? parsed(collected) : undefined;
        if (value !== undefined) {
          forget();
          return judge(value);
        }
        if (!heavy && collected.length <= LIMIT && attempts <= MAX_ATTEMPTS) return null;
      }
      forget();
      reported = true;
      return malformed(start === '<' ? 'an HTML page in place of events' : 'a line that is no event');
    },
    reset() {
      if (collected === '' && !reported) return;
      forget();
      reported = false;
    },
    end() {
      const left = collected.trim();
      forget();
      return left === '' ? null : left;
    },
  };
}

const LIMIT = 65_536;
/** A pretty-printed error closes a few brackets; whoever closes hundreds wants the text parsed hundreds of times. */
const MAX_ATTEMPTS = 200;
const CLOSED = /[}\]]\s*$/;

function malformed(detail: string): Frame {
  return { data: null, name: '', events: [{ type: 'malformed', detail }] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // not yet: more lines may follow
  }
}
