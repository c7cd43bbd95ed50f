export {
  alertCreate, alertEvent, alertEventQuery, alertList, alertRule, alertUpdate, delivery, DELIVERY_STATES, deliveryQuery,
  type AlertCreate, type AlertEventQuery, type AlertEventView, type AlertUpdate, type AlertView, type DeliveryQuery, type DeliveryView,
} from './alert';
export * from './call';
export {
  channel, channelCreate, channelList, channelRotate, channelUpdate, issuedChannel,
  type ChannelCreate, type ChannelRotate, type ChannelUpdate, type ChannelView, type IssuedChannel,
} from './channel';
export * from './connection';
export { EXPORT_FORMATS, exportCreate, exportJob, exportList, type ExportCreate, type ExportView } from './export';
export * from './invite';
export { MAX_OVERLAP_S, issuedKey, KEY_STATES, key, keyCreate, keyRotate, keyUpdate } from './key';
export type { IssuedKey, KeyCreate, KeyRotate, KeyState, KeyUpdate, KeyView } from './key';
export { keptTexts, MAX_KEEP_DAYS, textsPurge, textsPurged, type KeepTextsInput, type KeptTexts, type TextsPurge, type TextsPurged } from './kept-texts';
export { budget, budgetList, type BudgetView, limits, limitsInput, type LimitsChange, type LimitsInput, rate, rateList, type RateView } from './limits';
export * from './management-key';
export * from './member';
export { NOT_AVAILABLE_YET } from './not-yet';
export * from './page';
export * from './price';
export * from './problem';
export { saverReceipt, UNDONE, type SaverReceipt } from './receipt';
export { MAX_TTL_S, replayPurge, replayPurged, type ReplayInput, type ReplayPurge, type ReplayPurged } from './replay';
export * from './route';
export { DEFAULT_HOLDOUT_PERCENT, MAX_HOLDOUT_PERCENT, type HoldoutInput, type SaversInput } from './savers';
export { SAVINGS_STATUS, savingsQuery, savingsReport, type SavingsQuery, type SavingsView } from './savings';
export * from './test-report';
export { candidatesOf, MAX_CANDIDATES, MAX_TIERS, tierList, type TierCandidate, type TierInput, type TierView } from './tier';
export { usageQuery, usageReport, zone, type UsageApiQuery, type UsageView } from './usage';
export * from './workspace';
