export { parseScript, LIMITS, STEPS, type Parsed, type Script } from './script';
export { startSandbox, type Sandbox, type SandboxOptions } from './server';
export { DISCLOSURE, FINGERPRINT, textToken } from './words';
export type { Contact } from './contacts';
