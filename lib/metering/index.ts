export type { AdmittedRow, AttemptRow, AttemptState, CallRow, CallState, SkipReason, UsageRow } from './call-row';
export { findCall, listCalls, type CallFilter, type CallPage } from './calls';
export { estimateUsage, type Estimate } from './estimate';
export { openLedger, type Ledger, type LedgerLag, type OpenLedgerOptions } from './ledger';
export { listedPrice, type ListedPrice, type ListedRates } from './listed-price';
export { PRICE_VERSION } from './price-list';
export { createPrices } from './prices';
export { publicFigures, type PublicFigure, type PublicFigures } from './public-figures';
export { summary, type Summary } from './summary';
