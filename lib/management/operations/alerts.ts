import { createAlert, createChannel, deleteAlert, deleteChannel, getAlert, listAlertEvents, listAlerts, listChannels, listDeliveries, resendDelivery, rotateChannel, testAlert, updateAlert, updateChannel } from '../../alerts';
import { operation } from '../operation';
import { alertCreate, alertEvent, alertEventQuery, alertList, alertRule, alertUpdate, channel, channelCreate, channelList, channelRotate, channelUpdate, delivery, deliveryQuery, issuedChannel, pageOf } from '../schemas';

const tag = 'Alerts';
const response = { name: 'Alert', schema: alertRule };
const event = { name: 'AlertEvent', schema: alertEvent };

const rules = [
  operation({
    id: 'listAlerts', method: 'GET', path: '/alerts', tag, role: 'viewer', status: 200,
    summary: 'List alerts',
    response: { name: 'AlertList', schema: alertList },
    run: async ({ services, actor }) => ({ data: await listAlerts(services, actor), next_cursor: null }),
  }),
  operation({
    id: 'createAlert', method: 'POST', path: '/alerts', tag, role: 'developer', status: 201,
    summary: 'Watch something',
    description: 'Looked at every 30 s, or twice in a shorter window. It fires once for an episode and tells when that is over: when its figure has been clear for a whole window, at most 15 minutes.',
    body: alertCreate, response, refusals: [409],
    run: ({ services, actor, body }) => createAlert(services, actor, body),
  }),
  operation({
    id: 'getAlert', method: 'GET', path: '/alerts/{id}', tag, role: 'viewer', status: 200,
    summary: 'Read an alert',
    response, refusals: [404],
    run: ({ services, actor, params }) => getAlert(services, actor, params['id']!),
  }),
  operation({
    id: 'updateAlert', method: 'PATCH', path: '/alerts/{id}', tag, role: 'developer', status: 200,
    summary: 'Edit, mute or switch off an alert',
    body: alertUpdate, ifMatch: 'required', response, refusals: [404, 409],
    run: ({ services, actor, params, body, revision }) => updateAlert(services, actor, { id: params['id']!, revision: revision!, change: body }),
  }),
  operation({
    id: 'deleteAlert', method: 'DELETE', path: '/alerts/{id}', tag, role: 'developer', status: 204,
    summary: 'Delete an alert',
    description: 'What fires is told to be over. Its history goes; its messages stay in the delivery log.',
    ifMatch: 'optional', response: null, refusals: [404],
    run: ({ services, actor, params, revision }) => deleteAlert(services, actor, { id: params['id']!, revision }),
  }),
  operation({
    id: 'listAlertEvents', method: 'GET', path: '/alerts/{id}/events', tag, role: 'viewer', status: 200,
    summary: 'The history of an alert',
    query: alertEventQuery,
    response: { name: 'AlertEventPage', schema: pageOf(alertEvent, 'A page of an alert’s history, newest first.') }, refusals: [404],
    run: ({ services, actor, params, query }) => listAlertEvents(services, actor, params['id']!, query),
  }),
  operation({
    id: 'testAlert', method: 'POST', path: '/alerts/{id}/test', tag, role: 'developer', status: 201,
    summary: 'Send a test message',
    description: 'To every channel of the alert; it says that it is a test. At most 30 an hour.',
    response: event, refusals: [404, 409],
    run: ({ services, actor, params }) => testAlert(services, actor, params['id']!),
  }),
];

const channels = [
  operation({
    id: 'listChannels', method: 'GET', path: '/channels', tag, role: 'viewer', status: 200,
    summary: 'List channels',
    response: { name: 'ChannelList', schema: channelList },
    run: async ({ services, actor }) => ({ data: await listChannels(services.tenancy, actor), next_cursor: null }),
  }),
  operation({
    id: 'createChannel', method: 'POST', path: '/channels', tag, role: 'admin', status: 201,
    summary: 'Add an e-mail address or a webhook',
    description: 'The answer holds the webhook’s secret: the only time that it is shown. Messages are signed as Standard Webhooks describes (`webhook-id`, `webhook-timestamp`, `webhook-signature`), tried nine times over some 28 hours, and stopped by a 410.',
    body: channelCreate, response: { name: 'IssuedChannel', schema: issuedChannel }, refusals: [409],
    run: ({ services, actor, body }) => createChannel(services.tenancy, actor, body),
  }),
  operation({
    id: 'updateChannel', method: 'PATCH', path: '/channels/{id}', tag, role: 'admin', status: 200,
    summary: 'Edit, disable or enable a channel',
    body: channelUpdate, ifMatch: 'required', response: { name: 'Channel', schema: channel }, refusals: [404, 409],
    run: ({ services, actor, params, body, revision }) => updateChannel(services.tenancy, actor, { id: params['id']!, revision: revision!, change: body }),
  }),
  operation({
    id: 'deleteChannel', method: 'DELETE', path: '/channels/{id}', tag, role: 'admin', status: 204,
    summary: 'Delete a channel',
    description: '409 while an alert tells it. Messages that wait for it are dropped.',
    ifMatch: 'optional', response: null, refusals: [404, 409],
    run: ({ services, actor, params, revision }) => deleteChannel(services.tenancy, actor, { id: params['id']!, revision }),
  }),
  operation({
    id: 'rotateChannel', method: 'POST', path: '/channels/{id}/rotate', tag, role: 'admin', status: 201,
    summary: 'Rotate a webhook’s secret',
    description: 'For `overlap_s` messages carry two signatures, of the new secret and of the old one.',
    body: channelRotate, bodyOptional: true, response: { name: 'IssuedChannel', schema: issuedChannel }, refusals: [404, 409],
    run: ({ services, actor, params, body }) => rotateChannel(services.tenancy, actor, { id: params['id']!, overlap_s: body.overlap_s }),
  }),
];

const deliveries = [
  operation({
    id: 'listDeliveries', method: 'GET', path: '/deliveries', tag, role: 'viewer', status: 200,
    summary: 'The delivery log',
    query: deliveryQuery,
    response: { name: 'DeliveryPage', schema: pageOf(delivery, 'A page of the delivery log, newest first.') },
    run: ({ services, actor, query }) => listDeliveries(services.tenancy, actor, query),
  }),
  operation({
    id: 'resendDelivery', method: 'POST', path: '/deliveries/{id}/resend', tag, role: 'developer', status: 200,
    summary: 'Send a message again',
    description: 'The same message with the same id, to where its channel leads now; a message that waits for its next try is sent now.',
    response: { name: 'Delivery', schema: delivery }, refusals: [404, 409],
    run: ({ services, actor, params }) => resendDelivery(services.tenancy, actor, params['id']!),
  }),
];

export const alertOperations = [...rules, ...channels, ...deliveries];
