import { type Actor, listManagementKeys, peopleInEntries, type Tenancy } from '@/lib/tenancy';
import { everyPage } from '../../_components/every-page';

/** What people call those whom these entries name, by id: people by e-mail, as long as they have an account, management keys by name. */
export async function namesOfActors(tenancy: Tenancy, actor: Actor, entries: { seq: number }[]): Promise<Map<string, string>> {
  const [people, keys] = await Promise.all([peopleInEntries(tenancy, actor, entries.map(({ seq }) => seq)), everyPage((page) => listManagementKeys(tenancy, actor, page))]);
  return new Map([...people, ...keys.map(({ id, name }) => [id, `management key ${name}`] as const)]);
}
