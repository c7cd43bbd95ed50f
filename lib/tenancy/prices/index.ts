export { deletePrice } from './delete-price';
export { listPrices } from './list-prices';
export { setPrice } from './set-price';
