/** What a Claude model takes. Told by its name, since no API says it. */
export interface ModelFamily {
  /** Longest answer, tokens; thinking counts into it. */
  maxOutputTokens: number;
  /** `budget`: thinks for a number of tokens that the request names. `adaptive`: decides itself, within an effort. */
  thinking: 'none' | 'budget' | 'adaptive';
  /** How thinking is switched off; null where it cannot be. */
  thinkingOff: 'disabled' | 'between_tools' | null;
  /** Knows the effort `xhigh`; the first adaptive models have only `max` above `high`. */
  xhigh: boolean;
  /** `one`: temperature or top_p, not both. `default`: nothing but the default of either, and no top_k. */
  sampling: 'free' | 'one' | 'default';
  /** A tool can be forced. */
  forcedTools: boolean;
  /** Takes system messages after a user's turn. */
  systemTurns: boolean;
  /** Continues an assistant message that stands last. */
  prefill: boolean;
  /** Output by a JSON schema, and strict tools. */
  schemas: boolean;
}

/** Of `claude-sonnet-4-5-20250929`, `claude-3.7-sonnet`, `us.anthropic.claude-opus-4-6-v1` and the like. */
export function familyOf(model: string): ModelFamily {
  const found = NAME.exec(model.toLowerCase());
  if (found === null) return OTHER;
  const line = found[3]!;
  const [major, minor] = found[1] === undefined ? [found[4], found[5]] : [found[1], found[2]];
  return familyAt(line, major === undefined ? NEWEST : Number(major) + Number(minor ?? 0) / 100);
}

/** The version stands before the line's name in the third generation, behind it since; a date is neither. */
const NAME = /claude-(?:(\d)(?:[-.](\d))?-)?([a-z]+)(?:-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d))?/;

/** An alias such as `claude-opus-latest`. */
const NEWEST = 99;

/** Versions as numbers that can be compared: 4.5 is 4.05. */
function familyAt(line: string, version: number): ModelFamily {
  const largest = line === 'fable' || line === 'mythos';
  return {
    maxOutputTokens: maxOutput(line, version),
    thinking: version >= 4.06 ? 'adaptive' : version >= 3.07 ? 'budget' : 'none',
    thinkingOff: largest || version === NEWEST || (line === 'opus' && version >= 5.05) ? null : line === 'sonnet' && version >= 5.05 ? 'between_tools' : 'disabled',
    xhigh: version >= 4.07,
    sampling: version >= 4.07 ? 'default' : version >= 4.01 ? 'one' : 'free',
    forcedTools: !(largest ? version >= 5.01 : version >= 5.05 && line !== 'haiku'),
    systemTurns: largest ? version >= 5 : line === 'opus' ? version >= 4.08 : line === 'haiku' && version >= 5.05,
    prefill: version < 4.06,
    schemas: version >= 4.05,
  };
}

function maxOutput(line: string, version: number): number {
  if (version >= 4.06) return 128_000;
  if (version >= 4.05) return 64_000;
  if (version >= 4) return line === 'opus' ? 32_000 : 64_000;
  if (version >= 3.07) return 64_000;
  return version >= 3.05 ? 8_192 : 4_096;
}

/** Another vendor's model behind this wire: the middle of what the wire allows. */
const OTHER: ModelFamily = {
  maxOutputTokens: 32_000,
  thinking: 'budget',
  thinkingOff: 'disabled',
  xhigh: false,
  sampling: 'free',
  forcedTools: true,
  systemTurns: false,
  prefill: true,
  schemas: true,
};
