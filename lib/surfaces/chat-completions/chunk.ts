/** The pieces that both writers of chat.completion.chunk streams share. */

export const DONE = 'data: [DONE]\n\n';
export const EMPTY_DELTA = { index: 0, delta: {}, finish_reason: null };

export const eventOf = (data: string): string => `data: ${data}\n\n`;

export const chunkText = (id: string, created: number, model: string, rest: object): string => JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...rest });

/** Adds a member to the text of a JSON object without touching the rest of it. */
export function withMember(object: string, member: string): string {
  const end = object.lastIndexOf('}');
  const empty = object.slice(0, end).trim() === '{';
  return `${object.slice(0, end)}${empty ? '' : ','}${member}}`;
}
