import { isObject, nonEmpty, type StreamEvent } from '../../wire';

/** What of one candidate's sources has been told, since the metadata may be repeated on later frames. */
export interface Citations {
  read(candidate: Record<string, unknown>, asciiOnly: boolean, events: StreamEvent[]): void;
}

/**
 * Sources on the web become annotations, all other kinds are named as dropped. Google counts places in UTF-8 bytes,
 * clients in characters: they are the same only while the text is plain ASCII, and are left out where it is not.
 */
export function createCitations(choice: number): Citations {
  const told = new Set<string>();

  function add(source: unknown, startIndex: unknown, endIndex: unknown, kind: string, asciiOnly: boolean, events: StreamEvent[]): void {
    const url = isObject(source) ? nonEmpty(source.uri) : null;
    if (url === null || told.size >= MAX_TOLD) return void events.push({ type: 'dropped', what: kind });
    const end = asciiOnly ? place(endIndex) : null;
    const start = end === null ? null : (place(startIndex) ?? 0);
    const key = `${start} ${end} ${url}`;
    if (told.has(key)) return;
    told.add(key);
    events.push({ type: 'annotation', choice, annotation: { url, title: nonEmpty((source as Record<string, unknown>).title), startIndex: start, endIndex: end } });
  }

  function readGrounding(metadata: Record<string, unknown>, asciiOnly: boolean, events: StreamEvent[]): void {
    const chunks: unknown[] = Array.isArray(metadata.groundingChunks) ? metadata.groundingChunks : [];
    const sources = chunks.map((chunk) => (isObject(chunk) ? (chunk.web ?? chunk.maps ?? chunk.retrievedContext) : null));
    const supports: unknown[] = Array.isArray(metadata.groundingSupports) ? metadata.groundingSupports : [];
    if (supports.length === 0) {
      for (const source of sources) add(source, null, null, 'groundingMetadata', asciiOnly, events);
      return;
    }
    for (const support of supports.slice(0, MAX_TOLD)) {
      if (!isObject(support) || !Array.isArray(support.groundingChunkIndices)) continue;
      const segment = isObject(support.segment) ? support.segment : {};
      for (const index of (support.groundingChunkIndices as unknown[]).slice(0, MAX_TOLD)) {
        const source = typeof index === 'number' ? sources[index] : undefined;
        if (source !== undefined) add(source, segment.startIndex, segment.endIndex, 'groundingMetadata', asciiOnly, events);
      }
    }
  }

  return {
    read({ groundingMetadata, citationMetadata }, asciiOnly, events) {
      if (isObject(groundingMetadata)) readGrounding(groundingMetadata, asciiOnly, events);
      if (!isObject(citationMetadata)) return;
      const list = citationMetadata.citationSources ?? citationMetadata.citations;
      if (!Array.isArray(list)) return;
      for (const source of list.slice(0, MAX_TOLD)) {
        const at = isObject(source) ? source : {};
        add(source, at.startIndex, at.endIndex, 'citationMetadata', asciiOnly, events);
      }
    },
  };
}

const MAX_TOLD = 1_000;

const place = (value: unknown): number | null => (typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null);
