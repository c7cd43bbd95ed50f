export { catalogDocument, retiresSoon, type CatalogDocument, type ListedModel } from './document';
export { filterModels, ORDERS, readFilter, type CatalogFilter, type Order } from './filter';
