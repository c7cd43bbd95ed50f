import { chatCompletions } from './chat-completions';
import type { Surface } from './surface';

/** The only list of surfaces. A new one is a folder beside `chat-completions` and a line here. */
const SURFACES: readonly Surface[] = [chatCompletions];

const byPath = new Map(SURFACES.map((surface) => [surface.path, surface]));

/** The surface that answers at this path (without a query), or null. */
export const surfaceAt = (path: string): Surface | null => byPath.get(path) ?? null;
