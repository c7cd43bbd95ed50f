/** The query of a page's address, as Next hands it over. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The first value of each member; empty ones are left out. */
export async function queryOf(searchParams: SearchParams): Promise<Record<string, string>> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(await searchParams)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined && first !== '') query[name] = first;
  }
  return query;
}

/** `path?query` with some members changed; `null` removes one. */
export function hrefWith(path: string, query: Record<string, string>, change: Record<string, string | null>): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}
