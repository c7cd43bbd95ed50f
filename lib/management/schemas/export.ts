import * as z from 'zod';
import { callFilters } from './call';
import { id, nullableTimestamp, timestamp } from './field';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;

export const exportCreate = z
  .strictObject({
    format: z.enum(EXPORT_FORMATS, { error: 'must be "csv" or "jsonl"' }).meta({
      description: '`csv`: a ledger row a line, texts that a spreadsheet would run get an apostrophe in front. `jsonl`: a call a line, as `GET /calls/{id}` shows it.',
    }),
    filter: z.strictObject(callFilters).default({}).meta({ description: 'The filters of the calls list. Left out: every call until now.' }),
  })
  .meta({ description: 'A file of calls to be written.', examples: [{ format: 'csv', filter: { key: 'ci', state: 'truncated', from: '2030-01-01T00:00:00Z' } }] });

const view = {
  id,
  format: z.enum(EXPORT_FORMATS),
  filter: z.strictObject({
    key: z.string().optional(),
    route: z.string().optional(),
    state: z.string().optional(),
    class: z.string().optional(),
    model: z.string().optional(),
    connection: z.string().optional(),
    tag: z.string().optional(),
    from: z.string().optional(),
    to: z.string().meta({ description: 'Calls that came later are not in it.' }),
  }).meta({ description: 'As it was settled when the export was asked for: keys and connections by id.' }),
  state: z.enum(['queued', 'running', 'finished', 'failed']),
  rows: z.int().meta({ description: 'Calls written until now.' }),
  bytes: z.int(),
  capped: z.boolean().meta({ description: 'There were more calls than `row_limit`: the newest are in the file.' }),
  row_limit: z.int(),
  error: z.string().nullable(),
  created_by: z.string(),
  created_at: timestamp,
  finished_at: nullableTimestamp,
  expires_at: timestamp.meta({ description: 'When the file goes.' }),
};

export const exportJob = z.strictObject(view).meta({ description: 'A file of calls, or the writing of it.' });
export const exportList = z.strictObject({ data: z.array(exportJob), next_cursor: z.null() }).meta({ description: 'The newest hundred exports, newest first.' });

export type ExportCreate = z.output<typeof exportCreate>;
export type ExportView = z.output<typeof exportJob>;
