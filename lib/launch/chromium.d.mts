export function findChromium(): Promise<string | null>;
export function ensureChromium(say: (line: string) => void): Promise<{ path: string; problem: null } | { path: null; problem: string }>;
export const PROBLEM: string;
