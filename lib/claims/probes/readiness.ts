import { firstTierWasAsked, promised, type Bench, type Probe } from './probe';

const FAILS = 'status:429,retry-after:10,tag:m1'; // benched for longer than a loaded machine takes to ask
const ANSWERS = 'text:3,tag:m2';
const ROUTE = 'probe-readiness';

/** Does the tool say what the next call would do, and does it find that out by itself? */
export const readinessIsTold: Probe = {
  id: 'readiness_is_told',
  how: 'Asks the MCP tool about a route whose first tier refuses every call, before and after a call, and counts whom that contacted.',
  routes: { [ROUTE]: [FAILS, ANSWERS] },
  async run(bench) {
    await askTool(bench);
    promised(bench.contacts().length === 0, `asking the tool contacted the upstream ${bench.contacts().length} times`);
    await bench.ask({ model: ROUTE, stream: true });
    firstTierWasAsked(bench, FAILS);
    const contacts = bench.contacts().length;
    const { about, routes } = await askTool(bench);
    promised(bench.contacts().length === contacts, 'asking the tool contacted the upstream');
    promised(about?.includes('not failover telemetry') === true, 'the tool does not say what it is not');
    const [first, second] = routes?.[0]?.tiers ?? [];
    promised(first?.ready === false && first.reason?.code === 'cooling_down', `of a tier that had just failed the tool said ${JSON.stringify(first?.reason ?? null)}`);
    promised(second?.ready === true && routes?.[0]?.ready === true, 'of the tier that answered the tool did not say that it is ready');
    return { saw: 'A tier that had just failed was reported as passed over until a stated time, the one behind it as ready; the upstream saw the call and nothing of the questions.', figures: { questions: 2, contacts } };
  },
};

interface Told {
  about?: string;
  routes?: { ready: boolean; tiers: { ready: boolean; reason: { code: string } | null }[] }[];
}

async function askTool(bench: Bench): Promise<Told> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ohm_providers', arguments: { route: ROUTE } } };
  const answer = await bench.post('/mcp', message, { accept: 'application/json, text/event-stream' });
  promised(answer.status === 200, `the tool answered ${answer.status}`);
  const { result } = JSON.parse(answer.body) as { result?: { structuredContent?: Told } };
  promised(result?.structuredContent !== undefined, 'the tool gave no report');
  return result.structuredContent;
}
