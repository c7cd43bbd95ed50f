import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { edgeBench } from './edge';
import { gatewayBench, TARGETS, type TargetName } from './gateway';
import { wiresBench } from './wires';

/**
 * `npm run bench -- [suite] [--quick] [--json FILE] [--targets direct,floor,node,next] [--profile FOLDER] [--rows N]`
 *
 * Measures; asserts nothing. Exits 0 also when a target is missed, and says which.
 */
const SUITES: Record<string, () => Promise<unknown>> = {
  gateway: () => gatewayBench({ quick: values.quick, targets: targetsOf(values.targets), profileFolder: values.profile ?? null }),
  /** Answers that are served again: at the edge, and through door two. */
  edge: () => edgeBench({ quick: values.quick, profileFolder: values.profile ?? null }),
  /** How fast each wire is read, and what translating costs beside passing through. */
  wires: () => wiresBench({ quick: values.quick, profileFolder: values.profile ?? null }),
  /** Figures and pages over 10 million rows; `--quick`: a tenth of them. */
  ledger: async () => (await import('./ledger')).ledgerBench({ rows: rowsOf(values.rows) ?? (values.quick ? 1_000_000 : 10_000_000), repeats: 5 }),
  /** How fast messages are rewritten and counted, and whether anything waits for it. */
  savers: async () => (await import('./savers')).saversBench({ quick: values.quick }),
  /** What the ledger costs a call. */
  journal: () => import('../../lib/metering/bench'), // runs when it is loaded
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' }, targets: { type: 'string' }, profile: { type: 'string' }, rows: { type: 'string' } },
});

const suite = positionals[0] ?? 'gateway';
const run = SUITES[suite];
if (run === undefined) fail(`there is no suite "${suite}"; there are: ${Object.keys(SUITES).join(', ')}`);

const result = await run();
if (suite !== 'journal') {
  const json = JSON.stringify(result, null, 2);
  if (values.json === undefined) console.log(`\n${json}`);
  else writeFileSync(values.json, `${json}\n`);
}

function rowsOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{3,9}$/.test(text)) fail('--rows takes a whole number of at least 100');
  return Number(text);
}

function targetsOf(text: string | undefined): TargetName[] {
  if (text === undefined) return [...TARGETS];
  const names = text.split(',');
  const unknown = names.find((name) => !TARGETS.includes(name as TargetName));
  if (unknown !== undefined) fail(`there is no target "${unknown}"; there are: ${TARGETS.join(', ')}`);
  return TARGETS.filter((name) => names.includes(name));
}

function fail(message: string): never {
  console.error(`bench: ${message}`);
  process.exit(2);
}
