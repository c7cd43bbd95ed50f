import {
  createRoute, deleteRoute, getRoute, listRoutes, listRouteVersions, restoreRoute, updateRoute,
} from '../../tenancy/routes';
import { operation } from '../operation';
import { testRoute } from '../trial';
import {
  listQuery, namedListQuery, pageOf, route, routeCreate, routeReport, routeRestore, routeTest, routeUpdate, routeVersion,
} from '../schemas';

const tag = 'Routes';
const response = { name: 'Route', schema: route };

export const routeOperations = [
  operation({
    id: 'listRoutes', method: 'GET', path: '/routes', tag, role: 'viewer', status: 200,
    summary: 'List routes',
    query: namedListQuery,
    response: { name: 'RoutePage', schema: pageOf(route, 'A page of routes, by name.') },
    run: ({ services, actor, query }) => listRoutes(services.tenancy, actor, query),
  }),
  operation({
    id: 'createRoute', method: 'POST', path: '/routes', tag, role: 'admin', status: 201,
    summary: 'Add a route',
    body: routeCreate, response, refusals: [409],
    run: ({ services, actor, body }) => createRoute(services.tenancy, actor, body),
  }),
  operation({
    id: 'getRoute', method: 'GET', path: '/routes/{id}', tag, role: 'viewer', status: 200,
    summary: 'Read a route',
    response, refusals: [404],
    run: ({ services, actor, params }) => getRoute(services.tenancy, actor, { id: params['id']! }),
  }),
  operation({
    id: 'updateRoute', method: 'PATCH', path: '/routes/{id}', tag, role: 'admin', status: 200,
    summary: 'Edit a route',
    description: 'Calls that are under way keep the tiers that they began with; new calls see the edit within 5 s in every process.',
    body: routeUpdate, ifMatch: 'required', response, refusals: [404, 409],
    run: ({ services, actor, params, body, revision }) => updateRoute(services.tenancy, actor, { id: params['id']!, revision: revision!, change: body }),
  }),
  operation({
    id: 'deleteRoute', method: 'DELETE', path: '/routes/{id}', tag, role: 'admin', status: 204,
    summary: 'Remove a route',
    description: 'Refused with 409 while it is the default route of a key; the keys are named.',
    ifMatch: 'optional', response: null, refusals: [404, 409],
    run: ({ services, actor, params, revision }) => deleteRoute(services.tenancy, actor, { id: params['id']!, revision }),
  }),
  operation({
    id: 'listRouteVersions', method: 'GET', path: '/routes/{id}/versions', tag, role: 'viewer', status: 200,
    summary: 'List the versions of a route',
    query: listQuery,
    response: { name: 'RouteVersionPage', schema: pageOf(routeVersion, 'A page of versions, newest first.') }, refusals: [404],
    run: ({ services, actor, params, query }) => listRouteVersions(services.tenancy, actor, { id: params['id']!, ...query }),
  }),
  operation({
    id: 'restoreRoute', method: 'POST', path: '/routes/{id}/restore', tag, role: 'admin', status: 200,
    summary: 'Bring back a version of a route',
    description: 'Its name, commit, deadline and tiers become a new revision. Refused when one of its connections is gone.',
    body: routeRestore, ifMatch: 'required', response, refusals: [404, 409],
    run: ({ services, actor, params, body, revision }) =>
      restoreRoute(services.tenancy, actor, { id: params['id']!, revision: revision!, version: body.revision }),
  }),
  operation({
    id: 'testRoute', method: 'POST', path: '/routes/{id}/test', tag, role: 'developer', status: 200,
    summary: 'Test a route',
    description: 'One real call through the engine, of at most 1,024 tokens of answer. The provider is paid for it, but it has no row in the ledger and no budget is charged: therefore a workspace has 30 tests a minute in each process (429), and none of a provider once a hard budget of the workspace is used up (402). `fail_tier` shows what happens when that tier fails.',
    body: routeTest, bodyOptional: true,
    response: { name: 'RouteReport', schema: routeReport }, refusals: [402, 404],
    run: ({ services, actor, params, body, signal }) => testRoute(services, actor, { id: params['id']!, ...body, signal }),
  }),
];
