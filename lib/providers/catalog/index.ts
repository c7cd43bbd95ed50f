export { ABILITIES, catalog, catalogModel, catalogModelsOf, catalogVendor, modelFacts, type Ability, type CatalogModel } from './catalog';
export { STATED_PRICES, STATED_PRICES_VERSION, type StatedPrice } from './stated-prices';
