import { hangUpReachesUpstream, revocationHolds } from './endings';
import { completeCommit, failoverBeforeContent, jsonFailsOver, noHandoffAfterContent, nobodyAnswered } from './failover';
import { callersFaultIsReturned, oneAtATime, servedModelIsNamed } from './order';
import type { Probe } from './probe';
import { oneRowPerCall, usageIsMetered } from './records';
import { readinessIsTold } from './readiness';
import { replayIsExact } from './replay';
import { lossesAreNamed, ownBytesPass } from './translation';

/** In the order in which they run. The last one looks at the calls of the others. */
export const PROBES: readonly Probe[] = [
  failoverBeforeContent,
  noHandoffAfterContent,
  jsonFailsOver,
  completeCommit,
  nobodyAnswered,
  oneAtATime,
  servedModelIsNamed,
  callersFaultIsReturned,
  ownBytesPass,
  lossesAreNamed,
  readinessIsTold,
  hangUpReachesUpstream,
  revocationHolds,
  usageIsMetered,
  replayIsExact,
  oneRowPerCall,
];

export { Inconclusive, NotAsPromised, type Bench, type Finding, type Probe } from './probe';
export { askDoor, type Answer, type Door, type Question } from './door-client';
