import type { Appraisal, TokenizerChoice } from '@/lib/waste';
import type { SaverId, Undone } from '@/lib/savers/saver';

/** A saver as forms and tables show it: plain data, also for a browser. */
export interface SaverCard {
  id: SaverId;
  label: string;
  promise: string;
  never: string;
  lossless: boolean;
}

/** What a model no longer sees. Of lossless ones: what it sees instead. */
export const LOST: Record<SaverId, string> = {
  'repeat-reference': 'Nothing: the older result stands in the same conversation, and is named.',
  'terminal-output': 'Nothing that a terminal would still show: colours, and states of a progress bar that were overwritten.',
  'html-text': 'Markup, scripts, styles, drawings and every attribute but the addresses of links. A model that is asked about the markup cannot answer.',
  'json-compact': 'Nothing: white space between tokens, which means nothing in JSON.',
  'log-fold': 'Nothing: the number of repetitions is said.',
  'stack-frames': 'Which library frames an error passed through. A bug inside a library is harder to find.',
  'base64-stub': 'The blob’s content. A model that could have decoded it cannot.',
  'blank-lines': 'Nothing: blank lines beyond one, and spaces at line ends.',
  'head-tail': 'The middle of every very long result, whatever stands there.',
};

export const UNDONE_WORDS: Record<Undone, string> = {
  threw: 'it failed',
  timeout: 'it took too long',
  larger: 'its text was no shorter',
  structure: 'it would have broken the structure',
  provider_refused: 'the provider refused the request',
};

export const TOKENIZER_LABELS: Record<TokenizerChoice, string> = {
  o200k_base: 'GPT-4o and later (o200k_base)',
  cl100k_base: 'GPT-4 and GPT-3.5 (cl100k_base)',
  '~o200k_base': 'Any other model (o200k_base stands in)',
};

export function tokenizerWords({ encoding, exact }: { encoding: string; exact: boolean }): string {
  return exact ? `${encoding}, the model’s own` : `${encoding}, which stands in: the model’s own is not public`;
}

export const READ_AS: Record<Appraisal['reading']['kind'], string> = {
  'chat.completions': 'a Chat Completions request',
  messages: 'an Anthropic Messages request',
  responses: 'a Responses request',
  text: 'one text',
};

/** What was saved, as people read it: a minus sign is a loss. */
export const signed = (value: number): string => `${value < 0 ? '−' : ''}${Math.abs(value).toLocaleString('en-US')}`;
