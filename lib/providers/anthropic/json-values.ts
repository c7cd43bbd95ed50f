export type Members = Record<string, unknown>;
