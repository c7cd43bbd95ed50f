export { createHealth } from './health';
