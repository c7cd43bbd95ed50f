import { listChannels } from '@/lib/alerts';
import { runtime } from '@/lib/boot';
import { MAX_LIMIT } from '@/lib/management/schemas';
import { listKeys, listRoutes, type Actor } from '@/lib/tenancy';
import type { AlertChoices } from './_components/alert-form';

/** What an alert may be about and whom it may tell. The newest hundred keys and routes; others are reached by the API. */
export async function alertChoices(actor: Actor): Promise<AlertChoices> {
  const { tenancy } = await runtime();
  const [keys, routes, channels] = await Promise.all([listKeys(tenancy, actor, { limit: MAX_LIMIT, sort: 'name' }), listRoutes(tenancy, actor, { limit: MAX_LIMIT }), listChannels(tenancy, actor)]);
  return {
    keys: keys.data.map(({ id, name }) => ({ id, name })),
    routes: routes.data.map(({ id, name }) => ({ id, name })),
    channels: channels.map(({ id, name, type }) => ({ id, name, type })),
  };
}
