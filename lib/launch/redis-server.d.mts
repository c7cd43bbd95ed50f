export function findRedisServer(): string | null;
export function ensureRedisServer(say: (line: string) => void): { path: string; problem: null } | { path: null; problem: string };
export const REDIS_PROBLEM: string;
