import { expect, test } from 'vitest';
import { OPERATIONS } from '@/lib/management';
import { rightOperations, rights } from './role-rights';

test('the table of roles names every operation of the API once, and none that there is not', () => {
  expect(rightOperations().flat().sort()).toEqual(OPERATIONS.map((operation) => operation.id).sort());
});

test('what stands in one row needs one role', () => {
  for (const [n, operations] of rightOperations().entries()) {
    const roles = operations.map((id) => OPERATIONS.find((operation) => operation.id === id)!.role);
    expect([operations, new Set(roles)]).toEqual([operations, new Set(operations.length === 0 ? [] : [rights()[n]!.least])]);
  }
});
