export { abilitiesNeeded } from './abilities-needed';
export { compareOffers, type EcoComparison, type EcoLeftOut, type EcoNeed, type EcoOffer } from './eco';
export { modelsFor, resolveModel, type Resolution } from './resolve-model';
export { servingConnections } from './serving';
