import { createExport, deleteExport, exportFile, getExport, listExports } from '../exports';
import { download, operation } from '../operation';
import { exportCreate, exportJob, exportList } from '../schemas';

const tag = 'Exports';

export const exportOperations = [
  operation({
    id: 'listExports', method: 'GET', path: '/exports', tag, role: 'viewer', status: 200,
    summary: 'List exports',
    response: { name: 'ExportList', schema: exportList },
    run: async ({ services, actor }) => ({ data: await listExports(services.tenancy, actor), next_cursor: null }),
  }),
  operation({
    id: 'createExport', method: 'POST', path: '/exports', tag, role: 'viewer', status: 201,
    summary: 'Export calls',
    description: 'Asks for a file of the calls that the filter chooses, newest first, up to a million. A background job writes it; poll the export until its state is `finished`. 409 while three are being written.',
    body: exportCreate, response: { name: 'Export', schema: exportJob }, refusals: [409],
    run: ({ services, actor, body }) => createExport(services, actor, body),
  }),
  operation({
    id: 'getExport', method: 'GET', path: '/exports/{id}', tag, role: 'viewer', status: 200,
    summary: 'Read an export',
    response: { name: 'Export', schema: exportJob }, refusals: [404],
    run: ({ services, actor, params }) => getExport(services.tenancy, actor, params['id']!),
  }),
  operation({
    id: 'deleteExport', method: 'DELETE', path: '/exports/{id}', tag, role: 'viewer', status: 204,
    summary: 'Delete an export',
    description: 'Removes the file, or stops the writing of it.',
    response: null, refusals: [404],
    run: ({ services, actor, params }) => deleteExport(services.tenancy, actor, params['id']!),
  }),
  download({
    id: 'downloadExport', path: '/exports/{id}/download', tag, role: 'viewer',
    summary: 'Download an export',
    description: 'The file. 409 until it is finished.',
    files: ['text/csv', 'application/jsonl'], refusals: [404, 409],
    run: ({ services, actor, params }) => exportFile(services.tenancy, actor, params['id']!),
  }),
];
