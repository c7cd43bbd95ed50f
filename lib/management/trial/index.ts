export { runTrial, type Trial, type TrialResult } from './run-trial';
export { testConnection, type TestConnectionInput } from './test-connection';
export { testRoute } from './test-route';
