import { expect, test } from 'vitest';
import { refusalWords } from './tier-words';

test.each([
  ['tiers.0.model: the sandbox cannot read “texxt”.', 'Tier 1: the sandbox cannot read “texxt”.'],
  ['tiers.9: is the same connection and model as tier 1.', 'Tier 10: is the same connection and model as tier 1.'],
  ['tiers.1.eco.2.connection: there is no connection "a" in this workspace.', 'Tier 2, candidate 3: there is no connection "a" in this workspace.'],
  ['tiers.0.first_content_timeout_ms: must be at least 1.', 'Tier 1: must be at least 1.'],
  ['A route of this name exists already.', 'A route of this name exists already.'],
])('the refusal %s is read as: %s', (message, words) => expect(refusalWords(message)).toBe(words));
