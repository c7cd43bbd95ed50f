export { createKey } from './create-key';
export { deleteKey } from './delete-key';
export { getKey } from './get-key';
export { keyBudgets, workspaceBudgets } from './key-budgets';
export { keyId } from './key-id';
export { keyRates, workspaceRates } from './key-rates';
export { keyNames, listKeys } from './list-keys';
export { rotateKey } from './rotate-key';
export { updateKey } from './update-key';
