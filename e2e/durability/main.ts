import { parseArgs } from 'node:util';
import { killStorm } from './kill-storm';

/** `npm run storm -- [--kills 200] [--clients 16] [--seed 1]`: exits 1 when a promise was broken. */
const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' }, clients: { type: 'string', default: '16' }, seed: { type: 'string', default: '1' } } });

const startedAt = performance.now();
const report = await killStorm({ kills: Number(values.kills), clients: Number(values.clients), seed: Number(values.seed), log: (line) => console.error(`storm: ${line}`) });
console.log(JSON.stringify({ ...report, seconds: Math.round((performance.now() - startedAt) / 1000) }, null, 2));
process.exit(report.problems.length > 0 ? 1 : 0);
