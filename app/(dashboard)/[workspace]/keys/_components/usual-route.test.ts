import { expect, it } from 'vitest';
import { usualRoute } from './usual-route';

it('a new key is offered the oldest route, wherever its name stands in the alphabet', () => {
  const routes = [{ id: 'route_03', name: 'a-test' }, { id: 'route_01', name: 'demo' }, { id: 'route_02', name: 'production' }];
  expect(usualRoute(routes)).toBe('demo');
  expect(usualRoute([])).toBeNull();
});
