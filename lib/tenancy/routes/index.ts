export { createRoute } from './create-route';
export { deleteRoute } from './delete-route';
export { getRoute } from './get-route';
export { listRoutes } from './list-routes';
export { listRouteVersions } from './list-route-versions';
export { restoreRoute } from './restore-route';
export { readRouteConfig } from './read-route-config';
export { updateRoute } from './update-route';
