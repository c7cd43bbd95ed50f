/** What has to be known of a model by its name, since the wire does not tell. */
export interface GeminiModel {
  /** Without a `models/` prefix. */
  name: string;
  /** How the model is told to think: by a level (3 and later), by a token budget (2.5), or not at all. */
  thinks: 'level' | 'budget' | 'never';
  /** Pro models cannot be kept from thinking. */
  pro: boolean;
  /** Smallest budget other than 0, and the largest. */
  budget: { least: number; most: number };
  /** Rejects a function call that comes back without its signature. */
  wantsSignatures: boolean;
  /** Takes images and documents in the result of a function. */
  seesResults: boolean;
  /** Fetches any public https address, not only files that were uploaded to Google. */
  fetchesUrls: boolean;
}

export function geminiModel(model: string): GeminiModel {
  const name = model.replace(/^models\//, '');
  const lower = name.toLowerCase();
  const version = versionOf(lower);
  const pro = /(^|-)pro(-|$)/.test(lower);
  return {
    name,
    thinks: version >= 3 ? 'level' : version >= 2.5 && !/image|tts|audio|live|embedding/.test(lower) ? 'budget' : 'never',
    pro,
    budget: pro ? { least: 128, most: 32_768 } : /lite/.test(lower) ? { least: 512, most: 24_576 } : { least: 1, most: 24_576 },
    wantsSignatures: version >= 3,
    seesResults: version >= 3,
    fetchesUrls: version >= 2.5,
  };
}

/** 3.1 of `gemini-3.1-pro-preview`; the `-latest` names lead to the newest; 0 for what is no Gemini (Gemma, a tuned model). */
function versionOf(name: string): number {
  const written = /(?:^|\/)gemini-(\d+(?:\.\d+)?)(?![\d.])/.exec(name);
  if (written !== null) return Number(written[1]);
  return /^gemini-(?:pro|flash|flash-lite)-latest$/.test(name) ? 3 : 0;
}
