/** Messages in one request. Revision 2025-03-26 allows several; the ones after it have done away with that. */
const MOST_MESSAGES = 20;

/** Why several messages cannot be answered together; null when they can, and for a single one. */
export function batchFault(message: unknown): string | null {
  if (!Array.isArray(message)) return null;
  if (message.length === 0) return 'A batch has at least one message.';
  if (message.length > MOST_MESSAGES) return `A batch has at most ${MOST_MESSAGES} messages.`;
  const ids = message.flatMap((each) => idOf(each));
  return new Set(ids).size < ids.length ? 'Each request of a batch needs an id of its own.' : null;
}

/** Without sessions there is nothing that a later request could cancel; within one, its answer would be waited for in vain. */
export function withoutCancellations(message: unknown): unknown {
  if (!Array.isArray(message)) return message;
  const kept = message.filter((each) => methodOf(each) !== 'notifications/cancelled');
  return kept.length > 0 ? kept : message;
}

function idOf(message: unknown): unknown[] {
  return typeof message === 'object' && message !== null && 'id' in message && 'method' in message ? [message.id] : [];
}

const methodOf = (message: unknown): unknown => (typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined);
