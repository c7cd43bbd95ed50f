/** What becomes of `reasoning_effort` in a request that is translated for a model of this name. */
export interface Effort {
  /** What is sent; null: nothing, since the model may answer 400 to it. */
  send: unknown;
  /** What the client asked for got lost. */
  lost: boolean;
}

/**
 * OpenAI's models refuse an effort that they do not have, and those that do not reason refuse every one. "None" comes
 * from clients of other APIs all the time: they switch thinking off as a matter of course. So it goes to the models
 * that document it; the older ones reason as little as they can; where nothing is known, the provider's default holds.
 * https://developers.openai.com/api/docs/guides/reasoning
 */
export function effortFor(model: string, effort: unknown): Effort {
  const name = model.toLowerCase().split('/').at(-1)!;
  if (WITHOUT_REASONING.test(name)) return { send: null, lost: effort !== 'none' };
  if (effort !== 'none') return { send: effort, lost: false };
  if (CAN_BE_OFF.test(name)) return { send: 'none', lost: false };
  if (LEAST_MINIMAL.test(name)) return { send: 'minimal', lost: true };
  if (LEAST_LOW.test(name)) return { send: 'low', lost: true };
  return { send: null, lost: true };
}

const WITHOUT_REASONING = /^(chatgpt|gpt-[34](?!\d)|gpt-\d+(\.\d+)?-chat)/;
const CAN_BE_OFF = /^gpt-(5\.[1-9]|[6-9]|[1-9]\d)/;
const LEAST_MINIMAL = /^gpt-5(?![.\d])/;
const LEAST_LOW = /^(o[1345](?![a-z\d])|gpt-oss)/;
