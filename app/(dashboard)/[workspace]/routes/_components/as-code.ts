import type { RouteBody } from './route-draft';

/** The same edit for the management API, to be pasted into a shell. The key stays a variable: no secret is ever in it. */
export function asCurl(publicUrl: string, body: RouteBody, saved: { id: string; revision: number } | null): string {
  const lines =
    saved === null
      ? [`curl ${publicUrl}/api/v1/routes`]
      : [`curl -X PATCH ${publicUrl}/api/v1/routes/${saved.id}`, `  -H 'If-Match: "${saved.revision}"'`];
  return [...lines, `  -H "Authorization: Bearer $OHM_MANAGEMENT_KEY"`, `  -H 'Content-Type: application/json'`, `  -d ${shellQuoted(asJson(body))}`].join(' \\\n');
}

export function asJson(body: RouteBody): string {
  return JSON.stringify(body, null, 2);
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
