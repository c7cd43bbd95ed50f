/**
 * Characters of everything that a request sends to the model: messages with all that is text in them, calls of tools
 * and their results, reasoning, tools and schemas for answers, instructions, prompts and inputs. The same for every
 * API, and by exception: what is not known to be a setting or a label counts, so that a member that only one provider
 * knows hides nothing. Schemas and the input of tools, which are sent as JSON, count with their names and punctuation.
 * A token that is sent as a number counts as the four characters that an estimate takes for one; an image, a sound or
 * a file as ATTACHMENT_CHARACTERS, since the characters of its base64 are no text.
 */
export function sentCharacters(body: Readonly<Record<string, unknown>>): number {
  let characters = 0;
  for (const name in body) if (!SETTINGS.has(name)) characters += ofMember(name, body[name]);
  return characters;
}

/** What an image, a sound or a file counts as, whatever its size: 1,000 tokens. What it really is only its provider knows. */
const ATTACHMENT_CHARACTERS = 4_000;
const CHARACTERS_PER_TOKEN = 4;

/** Top-level members that tell the provider how to answer, and whom, and the model nothing. */
const SETTINGS: ReadonlySet<string> = new Set([
  'model', 'models', 'user', 'metadata', 'safety_identifier', 'prompt_cache_key', 'service_tier', 'stream_options', 'stop', 'stop_sequences', 'modalities', 'include',
  'reasoning_effort', 'reasoning', 'thinking', 'verbosity', 'truncation', 'logit_bias', 'tool_choice', 'function_call', 'audio', 'encoding_format', 'previous_response_id',
  'conversation', 'container', 'context_management', 'mcp_servers', 'provider', 'cache_control', 'inference_geo', 'speed',
]);

/** Members that say what stands beside them. One that is longer than a label is text. */
const LABELS: ReadonlySet<string> = new Set([
  'role', 'type', 'id', 'tool_call_id', 'tool_use_id', 'call_id', 'item_id', 'status', 'detail', 'format', 'media_type', 'mime_type', 'mode', 'ttl', 'effort', 'verbosity', 'phase',
]);
const LABEL_CHARACTERS = 64;

const ATTACHMENTS: ReadonlySet<string> = new Set(['image_url', 'video_url', 'audio_url', 'file_url', 'input_audio', 'file_data', 'file_id']);
/** Types of objects that are an attachment themselves, and the members that hold it. */
const ATTACHMENT_TYPES: ReadonlySet<unknown> = new Set(['base64', 'url', 'image_generation_call']);
const ATTACHED: ReadonlySet<string> = new Set(['data', 'url', 'result']);
/** Proofs that a provider gave for its own words. */
const SIGNATURES: ReadonlySet<string> = new Set(['signature', 'thought_signature']);
const JSON_MEMBERS: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'output_schema', 'schema', 'input', 'arguments']);

function ofMember(name: string, value: unknown): number {
  if (value === null || value === undefined || SIGNATURES.has(name)) return 0;
  if (LABELS.has(name) && typeof value === 'string') return value.length > LABEL_CHARACTERS ? value.length : 0;
  if (ATTACHMENTS.has(name)) return ATTACHMENT_CHARACTERS;
  return JSON_MEMBERS.has(name) && typeof value === 'object' && !Array.isArray(value) ? ofJson(value) : ofText(value);
}

function ofText(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let characters = 0;
  if (Array.isArray(value)) {
    for (const each of value as unknown[]) characters += typeof each === 'number' ? CHARACTERS_PER_TOKEN : ofText(each);
    return characters;
  }
  const object = value as Record<string, unknown>;
  const attached = ATTACHMENT_TYPES.has(object.type);
  if (attached) characters = ATTACHMENT_CHARACTERS;
  for (const name in object) {
    if (attached && ATTACHED.has(name)) continue;
    characters += ofMember(name, object[name]) + (name.length > LABEL_CHARACTERS ? name.length : 0);
  }
  return characters;
}

/** As JSON.stringify would make it but for its escapes, without making it. */
function ofJson(value: unknown): number {
  if (typeof value === 'string') return value.length + QUOTES;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let characters = BRACKETS;
  let members = 0;
  if (Array.isArray(value)) {
    for (const each of value as unknown[]) characters += ofJson(each);
    members = value.length;
  } else {
    for (const name in value) {
      characters += name.length + QUOTES + COLON + ofJson((value as Record<string, unknown>)[name]);
      members++;
    }
  }
  return characters + Math.max(0, members - 1);
}

const QUOTES = 2;
const BRACKETS = 2;
const COLON = 1;
