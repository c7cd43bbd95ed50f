/** The management API, as far as tests need it to furnish a workspace. */
export interface ManagementClient {
  /** Any request; rejects when the status is not 2xx. */
  request<T = unknown>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
  connection(name: string, baseUrl: string, apiKey?: string, wire?: string): Promise<{ id: string; name: string; revision: number }>;
  /** `tiers`: `<connection>/<model>`, or the API's own objects. */
  route(name: string, tiers: (string | Record<string, unknown>)[], more?: Record<string, unknown>): Promise<{ id: string; name: string; revision: number }>;
  /** The token of a new key. It keeps no answers unless `more` says so: most tests send the same words again and want a provider asked. */
  key(defaultRoute: string | null, more?: Record<string, unknown>): Promise<string>;
  /** The ledger row; waits up to 5 s for it, as a client of the API would. */
  call(id: string): Promise<CallView>;
}

export interface CallView {
  id: string;
  state: string;
  tier: number | null;
  flushed_bytes: number;
  attempts: { tier: number; state: string; class: string | null; upstream_status: number | null; bytes: number }[];
  [member: string]: unknown;
}

let keys = 0;

export function managementClient(url: string, managementKey: string): ManagementClient {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${managementKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const request = async <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> => {
    const response = await send(method, path, body, headers);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  };
  const tier = (text: string) => {
    const slash = text.indexOf('/');
    return { connection: text.slice(0, slash), model: text.slice(slash + 1) };
  };
  return {
    request,
    connection: (name, baseUrl, apiKey = 'sk-scripted-upstream', wire = 'openai') => request('POST', '/connections', { name, wire, base_url: baseUrl, api_key: apiKey }),
    route: (name, tiers, more = {}) => request('POST', '/routes', { name, tiers: tiers.map((each) => (typeof each === 'string' ? tier(each) : each)), ...more }),
    key: async (defaultRoute, more = {}) => (await request<{ key: string }>('POST', '/keys', { name: `key-${++keys}`, default_route: defaultRoute, replay: { enabled: false }, ...more })).key,
    async call(id) {
      const deadline = performance.now() + 5_000;
      for (;;) {
        const response = await send('GET', `/calls/${id}`);
        if (response.ok) return (await response.json()) as CallView;
        if (response.status !== 404 || performance.now() > deadline) throw new Error(`call ${id}: ${response.status} ${await response.text()}`);
        await new Promise((done) => setTimeout(done, 20));
      }
    },
  };
}
