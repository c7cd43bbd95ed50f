import { chatCompletions } from './chat-completions';
import { completions } from './completions';
import { embeddings } from './embeddings';
import { countTokens, messages } from './messages';
import { responses } from './responses';
import type { Surface } from './surface';

/** The only list of surfaces. A new one is a folder beside `chat-completions` and a line here. */
const SURFACES: readonly Surface[] = [chatCompletions, messages, countTokens, responses, completions, embeddings];

const byPath = new Map(SURFACES.map((surface) => [surface.path, surface]));

/** The surface that answers at this path (without a query), or null. */
export const surfaceAt = (path: string): Surface | null => byPath.get(path) ?? null;

/** Whose words an answer is put into where no surface owns the path: only clients of Anthropic's API say which version of it they speak. */
export const surfaceSpokenBy = (headers: Readonly<Record<string, unknown>>): Surface => (headers['anthropic-version'] === undefined ? chatCompletions : messages);
