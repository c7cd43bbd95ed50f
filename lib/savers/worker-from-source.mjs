// The worker of development and of tests, which have no bundle: node alone reads no TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
