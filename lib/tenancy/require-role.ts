import { Refusal } from '../std';
import { ROLES, type Actor, type Role } from './actor';

/** Is this role at least the other? */
export const mayAct = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

/** Every verb's first line. Throws Refusal('forbidden'). */
export function requireRole(actor: Actor, least: Role): void {
  if (mayAct(actor.role, least)) return;
  throw new Refusal('forbidden', `This needs the role ${least} or higher; yours is ${actor.role}.`);
}

/** `<kind>:<id>`, as created_by columns hold it. */
export const actorName = (actor: Actor): string => `${actor.kind}:${actor.id}`;
