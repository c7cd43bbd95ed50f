/**
 * Text from an upstream without what looks like a credential: providers like to repeat the key that they
 * refuse. Better a harmless word too many removed than a key let through.
 */
export function redact(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}

/** One line of at most `limit` characters, credentials removed. */
export function excerpt(text: string, limit: number): string {
  const line = redact(text.slice(0, limit * 4)).replace(/\s+/g, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

const GONE = '[removed]';
const PATTERNS: [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, `$1 ${GONE}`],
  [/([?&;](?:key|api[-_]?key|token|access[-_]token|auth|sig|signature|secret|password)=)[^&\s"'<>]+/gi, `$1${GONE}`],
  [/(https?:\/\/)[^\s/@"']+@/gi, `$1${GONE}@`],
  [/\b(?:sk|pk|rk|gsk|xai|csk|hf|nvapi|pplx|r8|tgp_v1|ohm_sk|ohm_mk|ghp|gho|glpat|AKIA|ASIA)[-_]?[A-Za-z0-9*][\w*\-.]{3,}[\w*]/g, GONE],
  [/\bAIza[\w-]{8,}/g, GONE],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, GONE],
  [/((?:api|access|secret|subscription)[ _-]?(?:key|token)\b[^:=\n]{0,24}[:=]\s*["']?)(?!\[removed\])[^\s"',;]{4,}/gi, `$1${GONE}`],
  [/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{40,}\b/g, GONE],
];
