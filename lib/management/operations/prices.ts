import { deletePrice, listPrices, setPrice } from '../../tenancy/prices';
import { operation } from '../operation';
import { pageOf, price, priceListQuery, priceSet } from '../schemas';

const tag = 'Prices';

export const priceOperations = [
  operation({
    id: 'listPrices', method: 'GET', path: '/prices', tag, role: 'viewer', status: 200,
    summary: 'List the prices that the workspace states',
    description: 'By model. Models without one cost what the price lists say: see GET /v1/public/models.',
    query: priceListQuery,
    response: { name: 'PricePage', schema: pageOf(price, 'A page of prices, by model.') },
    run: ({ services, actor, query }) => listPrices(services.tenancy, actor, query),
  }),
  operation({
    id: 'setPrice', method: 'PUT', path: '/prices', tag, role: 'admin', status: 200,
    summary: 'State a price',
    description: 'For one connection and model, from a moment on; one of the same moment is replaced. Calls are costed with it, and eco compares with it, within 5 s in every process.',
    body: priceSet, response: { name: 'Price', schema: price }, refusals: [409],
    run: ({ services, actor, body }) => setPrice(services.tenancy, actor, body),
  }),
  operation({
    id: 'deletePrice', method: 'DELETE', path: '/prices/{id}', tag, role: 'admin', status: 204,
    summary: 'Take a price back',
    description: 'The one before it holds again, or the list price. Costs that are booked stay as they are.',
    response: null, refusals: [404],
    run: ({ services, actor, params }) => deletePrice(services.tenancy, actor, { id: params['id']! }),
  }),
];
