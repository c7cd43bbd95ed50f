import type { Operation } from '../operation';
import { alertOperations } from './alerts';
import { callOperations } from './calls';
import { connectionOperations } from './connections';
import { exportOperations } from './exports';
import { keptTextOperations } from './kept-texts';
import { keyOperations } from './keys';
import { managementKeyOperations } from './management-keys';
import { memberOperations } from './members';
import { priceOperations } from './prices';
import { replayOperations } from './replay';
import { routeOperations } from './routes';
import { savingsOperations } from './savings';
import { usageOperations } from './usage';
import { workspaceOperations } from './workspace';

/** Every operation of the API: the door serves them, the OpenAPI document describes them, the tests walk them. */
export const OPERATIONS: readonly Operation[] = [
  ...connectionOperations,
  ...routeOperations,
  ...keyOperations,
  ...priceOperations,
  ...replayOperations,
  ...callOperations,
  ...keptTextOperations,
  ...usageOperations,
  ...savingsOperations,
  ...exportOperations,
  ...alertOperations,
  ...managementKeyOperations,
  ...memberOperations,
  ...workspaceOperations,
];

/** The operations of one path, e.g. `/routes/{id}`. */
export const operationsAt = (path: string): Operation[] => OPERATIONS.filter((operation) => operation.path === path);
