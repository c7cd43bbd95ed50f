import { z } from 'zod';
import type { Claim } from './registry';
import { judge, type Judgement, type Knowledge } from './status';

const figures = z.record(z.string(), z.union([z.number(), z.string(), z.null()]));

const evidence = z
  .object({
    kind: z.enum(['probe', 'measurement']),
    how: z.string().describe('How it was checked, in one sentence.'),
    probe: z.string().nullable().describe('The probe’s id; null for a measurement.'),
    checked_at: z.iso.datetime().nullable(),
    result: z.enum(['passed', 'failed']).nullable(),
    saw: z.string().nullable().describe('What was seen, in one sentence.'),
    duration_ms: z.number().int().nullable(),
    process: z.string().nullable().describe('Which process checked: random per boot.'),
    figures,
  })
  .strict();

const claim = z
  .object({
    id: z.string(),
    statement: z.string(),
    status: z
      .enum(['shipped', 'unsupported', 'estimate_only', 'measured', 'not_measured', 'failing', 'stale'])
      .describe(
        'shipped: does it, and a recent probe saw it. unsupported: does not do it, and a recent probe saw that it did not happen. failing: the latest probe saw otherwise. stale: not checked recently. estimate_only, measured, not_measured: of claims that rest on a measurement.',
      ),
    docs: z.url(),
    limits: z.string().nullable(),
    evidence: z.array(evidence).min(1).nullable().describe('Null where there is none; `reason` then says why.'),
    reason: z.string().nullable(),
  })
  .strict();

export const honestyDocument = z
  .object({
    $schema: z.url(),
    schema_version: z.literal('1.0'),
    generated_at: z.iso.datetime(),
    build: z.object({ version: z.string(), commit: z.string().nullable() }).strict(),
    process: z.string().describe('The process that answers: random per boot. It ran the probes that name it.'),
    probes: z
      .object({
        interval_s: z.number().int().describe('The usual time between two runs; it varies by a fifth.'),
        stale_after_s: z.number().int(),
        last_run_at: z.iso.datetime().nullable(),
        blind: z.string().nullable().describe('Why probes cannot run now; null when they can.'),
      })
      .strict(),
    journal: z.object({ kind: z.enum(['folder', 'database']), meaning: z.string() }).strict(),
    claims: z.array(claim),
    figures: z
      .object({
        source: z.enum(['probes', 'workspaces']).describe('Calls of the probes until at least 20 workspaces contribute.'),
        values: figures,
        reason: z.string().nullable().describe('Why there are no values; null when there are.'),
      })
      .strict(),
  })
  .strict()
  .meta({ title: 'Ohm honesty document', description: 'Public claims of a running Ohm installation, each with its evidence.' });

export type HonestyDocument = z.infer<typeof honestyDocument>;
export type ClaimView = HonestyDocument['claims'][number];

/** JSON Schema 2020-12 of the document. */
export const honestySchema = (publicUrl: string): object => ({ $id: schemaUrl(publicUrl), ...z.toJSONSchema(honestyDocument, { target: 'draft-2020-12' }) });

const schemaUrl = (publicUrl: string): string => `${publicUrl}/v1/public/honesty/schema`;

export interface DocumentInput {
  publicUrl: string;
  build: HonestyDocument['build'];
  process: string;
  journal: 'folder' | 'database';
  claims: readonly Claim[];
  /** How each probe checks, by id. */
  how: ReadonlyMap<string, string>;
  known: Knowledge;
  intervalMs: number;
  lastRunAtMs: number | null;
  figures: HonestyDocument['figures'];
}

export function buildDocument(input: DocumentInput): HonestyDocument {
  const { known } = input;
  return {
    $schema: schemaUrl(input.publicUrl),
    schema_version: '1.0',
    generated_at: iso(known.nowMs),
    build: input.build,
    process: input.process,
    probes: {
      interval_s: Math.round(input.intervalMs / 1000),
      stale_after_s: Math.round(known.staleAfterMs / 1000),
      last_run_at: input.lastRunAtMs === null ? null : iso(input.lastRunAtMs),
      blind: known.blind,
    },
    journal: { kind: input.journal, meaning: JOURNALS[input.journal] },
    claims: input.claims.map((claim) => viewOf(claim, judge(claim, known), input)),
    figures: input.figures,
  };
}

const JOURNALS = {
  folder: 'Calls are written to a locked file in the data folder before the first upstream byte and before their last byte, and drained into PostgreSQL.',
  database: 'There is no persistent folder: rows are written to PostgreSQL before the call’s last byte.',
} as const;

function viewOf(claim: Claim, judgement: Judgement, input: DocumentInput): ClaimView {
  const found = [
    ...judgement.results.map((result) => ({
      kind: 'probe' as const,
      how: input.how.get(result.probe) ?? '',
      probe: result.probe,
      checked_at: iso(result.ranAtMs),
      result: result.passed ? ('passed' as const) : ('failed' as const),
      saw: result.detail,
      duration_ms: result.durationMs,
      process: result.processId,
      figures: result.figures,
    })),
    ...(judgement.measurement === null
      ? []
      : [{ kind: 'measurement' as const, how: judgement.measurement.method, probe: null, checked_at: null, result: null, saw: null, duration_ms: null, process: null, figures: judgement.measurement.figures }]),
  ];
  return {
    id: claim.id,
    statement: claim.statement,
    status: judgement.status,
    docs: `${input.publicUrl}${claim.docs}`,
    limits: claim.limits,
    evidence: found.length === 0 ? null : found,
    reason: judgement.reason,
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
