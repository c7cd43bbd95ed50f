import type { TestStep } from '../schemas';

type Name = TestStep['step'];

export const ok = (step: Name, ms: number | null, message: string): TestStep => ({ step, outcome: 'ok', ms, message });
export const warning = (step: Name, ms: number | null, message: string): TestStep => ({ step, outcome: 'warning', ms, message });
export const failed = (step: Name, ms: number | null, message: string): TestStep => ({ step, outcome: 'failed', ms, message });
export const skipped = (step: Name, message: string): TestStep => ({ step, outcome: 'skipped', ms: null, message });
