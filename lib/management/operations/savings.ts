import { operation } from '../operation';
import { savingsQuery, savingsReport } from '../schemas';
import { savingsView } from '../savings-view';

export const savingsOperations = [
  operation({
    id: 'getSavings', method: 'GET', path: '/savings', tag: 'Savings', role: 'viewer', status: 200,
    summary: 'What savers saved',
    description:
      'By key and model: tokens as received and as sent, by our own tokenizer and by saver; and what the provider billed in rewritten conversations against those that were left as they came, with a 95 % interval. ' +
      'Every figure is signed: a loss is shown as one. What was not measured is null.',
    query: savingsQuery,
    response: { name: 'SavingsReport', schema: savingsReport },
    run: ({ services, actor, query }) => savingsView(services, actor, query, Date.now()),
  }),
];
