import { isObject, nonEmpty } from '../../wire';


/** How signatures of this wire are labelled among those of other providers. */
export const SIGNATURE_FORMAT = 'google-gemini-v1';

/** Stands where a model wants a signature and none is left; documented for conversations begun with another model. */
export const STAND_IN = 'skip_thought_signature_validator';

/** `extra_content.google.thought_signature` of a tool call, as Google's own OpenAI endpoint has it. */
export function callSignature(call: Record<string, unknown>): string | undefined {
  const google = isObject(call.extra_content) ? call.extra_content.google : undefined;
  return (isObject(google) ? nonEmpty(google.thought_signature) : null) ?? undefined;
}
