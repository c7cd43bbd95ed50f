export { parseAllowRules, type AllowRule } from '../std/allow-rules';
export type { ResolveAll } from './connector';
export { isTlsFault } from './exchange';
export { checkAddress, checkUrl, type GuardRules, type GuardVerdict } from './guard';
export { createOutbound, type OutboundClient, type OutboundOptions } from './outbound';
