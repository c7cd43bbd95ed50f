import { expect, type Page } from '@playwright/test';

let made = 0;

/** Signs a new person up in the browser; resolves with the slug of their workspace. */
export async function signUp(page: Page, name = 'Journey'): Promise<string> {
  const unique = `${process.pid}-${Date.now().toString(36)}-${made++}`;
  // Everybody comes from a network of their own: those who sign up are counted per network, and the journeys are many.
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': `10.${made % 256}.${(process.pid >> 8) % 256}.${process.pid % 256}` });
  await page.goto('/sign-up');
  await page.getByLabel('E-mail').fill(`journey-${unique}@example.com`);
  await page.getByLabel('Password').fill(`three unrelated words ${unique}`);
  await page.getByLabel('Workspace name').fill(`${name} ${unique}`);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('navigation', { name: 'Workspace' }).or(page.getByRole('link', { name: 'Calls' })).first()).toBeVisible();
  await page.setExtraHTTPHeaders({});
  return new URL(page.url()).pathname.split('/')[1]!;
}

/** The management API with the page's own session, as the dashboard's pages may use it. */
export async function manage<T>(page: Page, method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown, revision?: number): Promise<T> {
  return await page.evaluate(
    async ([verb, url, json, match]) => {
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (match !== undefined) headers['if-match'] = `"${match}"`;
      const answer = await fetch(url, { method: verb, headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) });
      if (!answer.ok) throw new Error(`${verb} ${url}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    [method, `/api/v1${path}`, body, revision] as const,
  );
}

export interface Tier {
  connection: string;
  model: string;
}

export const sandboxTiers = (...models: string[]): Tier[] => models.map((model) => ({ connection: 'sandbox', model }));

export async function makeRoute(page: Page, name: string, tiers: Tier[]): Promise<{ id: string; revision: number }> {
  return await manage(page, 'POST', '/routes', { name, tiers });
}

/** A key's token for the gateway. It keeps no answers: journeys send the same words again and look at what a tier does. */
export async function issueKey(page: Page, name: string): Promise<string> {
  const { key } = await manage<{ key: string }>(page, 'POST', '/keys', { name, replay: { enabled: false } });
  return key;
}

/** One streamed call through the gateway; resolves with its id and what came. */
export async function call(page: Page, key: string, model: string): Promise<{ id: string; status: number; body: string }> {
  const answer = await page.request.post('/v1/chat/completions', {
    headers: { authorization: `Bearer ${key}` },
    data: { model, stream: true, messages: [{ role: 'user', content: 'Hello' }] },
  });
  return { id: answer.headers()['x-ohm-request-id'] ?? '', status: answer.status(), body: await answer.text() };
}
