import { json, sseHead } from './openai-answers';
import type { Answer, Step } from './scripted-upstream';

/** Google's generateContent wire, spelled for scripts. */

export { json, sseHead };

const ANSWER = { modelVersion: 'gemini-scripted', responseId: 'gemini-upstream' };

/** One frame of a stream, as Google sends it: with CRLF. */
export const frame = (data: unknown): Step => ({ send: `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\r\n\r\n` });
export const candidate = (parts: object[] | null, rest: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  candidates: [{ ...(parts === null ? {} : { content: { parts, role: 'model' } }), index: 0, ...rest }],
  ...more,
  ...ANSWER,
});
const usage = (promptTokens: number, answerTokens: number) => ({ usageMetadata: { promptTokenCount: promptTokens, candidatesTokenCount: answerTokens, totalTokenCount: promptTokens + answerTokens } });

/** A frame before the first content: usage alone. */
export const preamble = (): Step => frame({ usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 }, ...ANSWER });
export const text = (words: string): Step => frame(candidate([{ text: words }], {}, { usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 } }));
export const call = (name: string, args: object, rest: Record<string, unknown> = {}): Step => frame(candidate([{ functionCall: { name, args }, ...rest }]));
export const finish = (reason = 'STOP', answerTokens = 3): Step => frame(candidate(null, { finishReason: reason }, usage(9, answerTokens)));

/** A whole lawful stream of these words; only its end ends it. */
export const streamOf = (...words: string[]): Answer => [sseHead(), ...words.map(text), finish('STOP', words.length), 'end'];

export const answer = (content: string) => candidate([{ text: content }], { finishReason: 'STOP' }, usage(9, 3));
export const jsonOf = (content: string): Answer => json(200, answer(content));

/** An error in Google's shape; its place in a stream is outside of the framing. */
export const errorObject = (code: number, status: string, message = 'scripted error') => ({ error: { code, message, status } });
export const error = (code: number, status: string, message?: string): Answer => json(code, errorObject(code, status, message));
export const bareError = (code: number, status: string, message?: string): Step => ({ send: `${JSON.stringify(errorObject(code, status, message), null, 2)}\n` });
