const MOST_PAGES = 20; // of 100: a select with more is no select

/** All that a list has, by its pages of 100; of more than 2,000 the first. */
export async function everyPage<T>(read: (page: { limit: number; cursor: string | undefined }) => Promise<{ data: T[]; next_cursor: string | null }>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { data, next_cursor } = await read({ limit: 100, cursor });
    all.push(...data);
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return all;
}
