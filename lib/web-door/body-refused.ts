/** Why a body could not be read; the engine answers. `code` survives bundling where class identity does not. */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused';
  constructor(
    readonly code:
      | 'client_left'
      | 'unsupported_encoding' // 415: a compressed body may be a bomb
      | 'body_budget_exceeded' // 503: too many bodies in memory
      | 'body_share_exceeded' // 503: too many of this workspace's
      | 'body_stalled', // 408: it makes no progress
    message: string,
  ) {
    super(message);
  }
}

/** The budget has no room for it. */
export const noRoom = (why: 'owner_full' | 'full'): BodyRefused =>
  why === 'full'
    ? new BodyRefused('body_budget_exceeded', 'The server holds too many request bodies right now.')
    : new BodyRefused('body_share_exceeded', 'The server holds too many request bodies of this workspace right now.');

/** Bytes that the headers promise (0 when they do not say), or why the body is not read at all. */
export function announcedBody(encoding: string | null | undefined, length: string | null | undefined): number | BodyRefused {
  if (encoding && encoding.trim().toLowerCase() !== 'identity') {
    return new BodyRefused('unsupported_encoding', 'A compressed request body is not accepted: send it without Content-Encoding.');
  }
  return Number(length) || 0;
}
