export { isUnrepresentable, type OwnRequest, type StreamReader, type WholeBody, type WireAdapter, type WireRequest, type WireRequestInput } from './adapter';
export { priceSource, thinksByName, type PriceSource } from './model-facts';
export { NO_QUIRKS, type Quirks } from './quirks';
export { presetById, presets, quirksOf, WIRE_WORDS, type Preset } from './presets';
export { excerpt, redact } from './redact';
export { adapterFor, WIRES, type Wire } from './registry';
