import { isObject } from '../../wire';


/** `logprobsResult` as OpenAI's `logprobs`, or null when it holds none. */
export function readLogprobs(result: unknown): object | null {
  if (!isObject(result) || !Array.isArray(result.chosenCandidates)) return null;
  const tops: unknown[] = Array.isArray(result.topCandidates) ? result.topCandidates : [];
  const content = result.chosenCandidates.map((chosen: unknown, index) => {
    const top = tops[index];
    const candidates: unknown[] = isObject(top) && Array.isArray(top.candidates) ? top.candidates : [];
    return { ...tokenOf(chosen), top_logprobs: candidates.map(tokenOf) };
  });
  return { content, refusal: null };
}

/** Zero is left out of this JSON. */
function tokenOf(value: unknown): { token: string; logprob: number; bytes: number[] } {
  const token = isObject(value) && typeof value.token === 'string' ? value.token : '';
  return { token, logprob: isObject(value) && typeof value.logProbability === 'number' ? value.logProbability : 0, bytes: [...Buffer.from(token)] };
}
