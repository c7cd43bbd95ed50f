import type { Proof } from './proofs';

/** The sections of the page about the edge, in order; each is an anchor that claims point to. */
export const PLANE_SECTIONS = ['two-planes', 'where-a-request-goes', 'stored-answers', 'one-row', 'what-it-is-not', 'running-it', 'plane-proofs'] as const;
export type PlaneSection = (typeof PLANE_SECTIONS)[number];

const FORWARD = 'lib/edge/forward.test.ts';
const STORED = 'lib/edge/stored.test.ts';
const BUILT = 'e2e/edge.test.ts';
const ROWS = 'lib/metering/two-planes.db.test.ts';

export const PLANE_PROOFS: readonly Proof<PlaneSection>[] = [
  { section: 'where-a-request-goes', promise: 'A control plane killed under load fails no request that had not yet received a byte, and leaves one row a call.', file: BUILT, test: 'a control plane killed under load: no request fails that had not yet received a byte, cut streams say so, one row a call' },
  { section: 'where-a-request-goes', promise: 'The fallback is asked once, for the same call.', file: FORWARD, test: 'after …, with the same call' },
  { section: 'where-a-request-goes', promise: 'A walk that made upstream requests is not repeated.', file: FORWARD, test: 'after a 502 of a walk that has made upstream requests: walking again would pay twice' },
  { section: 'where-a-request-goes', promise: 'A change by the management API is not made twice.', file: FORWARD, test: 'for a change by the management API that may have been made; one that never left goes to the fallback' },
  { section: 'where-a-request-goes', promise: 'A stream that was begun ends as a truncated one.', file: FORWARD, test: 'once the client has got content: the stream ends with the frame of a truncated one, and without [DONE]' },
  { section: 'where-a-request-goes', promise: 'A stream arrives frame by frame.', file: FORWARD, test: 'reaches the client frame by frame, as it comes' },
  { section: 'stored-answers', promise: 'A stored answer is the control plane’s own, to the byte but for id and time.', file: STORED, test: 'is given as the control plane gives it: the same headers, the same body, nobody asked' },
  { section: 'stored-answers', promise: 'A revoked key is refused at the edge within five seconds.', file: BUILT, test: 'answers from Redis while both planes stand still, with one row a call, and lets a revoked key go within five seconds' },
  { section: 'stored-answers', promise: 'An altered entry is a miss.', file: STORED, test: 'that was altered in the store is a miss, and so is a grant' },
  { section: 'stored-answers', promise: 'Rates are counted once, wherever a call is answered.', file: BUILT, test: 'counts rates together with the planes' },
  { section: 'one-row', promise: 'Whichever plane comes first, the row is of the one that answered, and so are the sums.', file: ROWS, test: 'leave one row, of the one that the client was answered from (the other way round: …), and sums of it alone' },
  { section: 'one-row', promise: 'kill -9 of the edge loses no row.', file: BUILT, test: 'survives kill -9 with every row that it had answered for' },
  { section: 'running-it', promise: 'It drains: not ready first, then open streams finish.', file: BUILT, test: 'drains on SIGTERM: not ready first, streams finish, and it ends in order' },
];
