export { unreachable } from './assert';
export { systemClock, type Clock } from './clock';
export { newId } from './id';
export { isoTime } from './iso-time';
export { IdTable } from './id-table';
export { isRefusal, Refusal, type Issue, type RefusalCode } from './refusal';
export { logLines } from './log-lines';
export { Roster, type Rostered } from './roster';
export { dayIn, isZone, nextDay, startOfDay } from './zone';
