/**
 * The first name that an object of this JSON text has twice, as a path (`limits.daily_cost_usd`, `tiers.1.model`);
 * null where none has. The text must be one that JSON.parse accepts, which keeps the last of them and says nothing.
 */
export function duplicateMember(text: string): string | null {
  const open: Holder[] = [];
  let key: string | null = null;
  for (const [token] of text.matchAll(TOKENS)) {
    const holder = open.at(-1);
    if (token === '{' || token === '[') open.push({ names: token === '{' ? new Set() : null, step: '0' });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && holder?.names === null) holder.step = String(Number(holder.step) + 1);
    else if (token === ':') {
      const name = JSON.parse(key!) as string;
      holder!.step = name;
      if (holder!.names!.has(name)) return open.map(({ step }) => step).join('.');
      holder!.names!.add(name);
    } else key = token;
  }
  return null;
}

/** An object or list that is open, and where in it the text is. `names` is null for a list. */
interface Holder {
  names: Set<string> | null;
  step: string;
}

/** Strings, and what stands between values. Numbers and words are no names. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;
