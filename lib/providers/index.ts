export type { ChatRequestInput, StreamReader, WholeBody, WireAdapter, WireRequest } from './adapter';
export { priceSource, thinksByName, type PriceSource } from './model-facts';
export { presetById, presets, type Preset } from './presets';
export { excerpt, redact } from './redact';
export { adapterFor, WIRES, type Wire } from './registry';
