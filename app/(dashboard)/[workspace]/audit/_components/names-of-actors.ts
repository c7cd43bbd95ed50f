import { type Actor, listManagementKeys, listMembers, type Tenancy } from '@/lib/tenancy';
import { everyPage } from '../../_components/every-page';

/** What people call those who act here, by id: members by e-mail, management keys by name. Who has left is known by id alone. */
export async function namesOfActors(tenancy: Tenancy, actor: Actor): Promise<Map<string, string>> {
  const [members, keys] = await Promise.all([listMembers(tenancy, actor), everyPage((page) => listManagementKeys(tenancy, actor, page))]);
  return new Map([...members.map(({ user_id, email }) => [user_id, email] as const), ...keys.map(({ id, name }) => [id, `management key ${name}`] as const)]);
}
