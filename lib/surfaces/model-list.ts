import type { Dialect } from '../wire';

/** `GET /v1/models` in one dialect. Pure. */
export interface ModelList {
  /** The page of `names` that the query asks for, or the query parameter that is wrong. */
  list(names: readonly string[], query: URLSearchParams): object | { param: string; message: string };
  one(name: string): object;
}

export const modelListOf = (dialect: Dialect | null): ModelList => (dialect === 'anthropic' ? anthropic : openai);

export const isBadQuery = (answer: object): answer is { param: string; message: string } => 'param' in answer;

/** Routes and direct models have no birthday of their own: it is the epoch. */
const openai: ModelList = {
  list: (names) => ({ object: 'list', data: names.map(openai.one) }),
  one: (id) => ({ id, object: 'model', created: 0, owned_by: 'ohm' }),
};

/** Pages by the id before or after them, which is what the official client walks; all that fit are one page unless `limit` says less. */
const anthropic: ModelList = {
  list(names, query) {
    const asked = query.get('limit');
    const limit = asked === null ? MAX_PAGE : Number(asked);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) return { param: 'limit', message: `\`limit\` must be an integer from 1 to ${MAX_PAGE}.` };
    const [after, before] = [query.get('after_id'), query.get('before_id')];
    const start = after === null ? 0 : names.indexOf(after) + 1;
    const end = before === null ? names.length : names.indexOf(before);
    if (after !== null && start === 0) return { param: 'after_id', message: '`after_id` names no model that this key may use.' };
    if (end === -1) return { param: 'before_id', message: '`before_id` names no model that this key may use.' };
    const window = names.slice(start, end);
    const page = before === null ? window.slice(0, limit) : window.slice(-limit);
    return { data: page.map(anthropic.one), has_more: page.length < window.length, first_id: page[0] ?? null, last_id: page.at(-1) ?? null };
  },
  one: (id) => ({ type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' }),
};

const MAX_PAGE = 1_000;
