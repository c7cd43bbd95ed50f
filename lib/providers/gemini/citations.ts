import { isObject, nonEmpty, type StreamEvent } from '../../wire';
import type { TextPlaces } from './text-places';

/** What of one candidate's sources has been told, since the metadata may be repeated on later frames. */
export interface Citations {
  read(candidate: Record<string, unknown>, places: TextPlaces, events: StreamEvent[]): void;
}

/**
 * Sources on the web become annotations, all other kinds are named as dropped. A place that is none in the text so far
 * is left out.
 */
export function createCitations(choice: number): Citations {
  const told = new Set<string>();

  function add(source: unknown, segment: Segment, kind: string, places: TextPlaces, events: StreamEvent[]): void {
    const url = isObject(source) ? nonEmpty(source.uri) : null;
    if (url === null || told.size >= MAX_TOLD) return void events.push({ type: 'dropped', what: kind });
    const [start, end] = spanOf(segment, places);
    const key = `${start} ${end} ${url}`;
    if (told.has(key)) return;
    told.add(key);
    events.push({ type: 'annotation', choice, annotation: { url, title: nonEmpty((source as Record<string, unknown>).title), startIndex: start, endIndex: end } });
  }

  function readGrounding(metadata: Record<string, unknown>, places: TextPlaces, events: StreamEvent[]): void {
    const chunks: unknown[] = Array.isArray(metadata.groundingChunks) ? metadata.groundingChunks : [];
    const sources = chunks.map((chunk) => (isObject(chunk) ? (chunk.web ?? chunk.maps ?? chunk.retrievedContext) : null));
    const supports: unknown[] = Array.isArray(metadata.groundingSupports) ? metadata.groundingSupports : [];
    if (supports.length === 0) {
      for (const source of sources) add(source, NOWHERE, 'groundingMetadata', places, events);
      return;
    }
    for (const support of supports.slice(0, MAX_TOLD)) {
      if (!isObject(support) || !Array.isArray(support.groundingChunkIndices)) continue;
      const segment = isObject(support.segment) ? support.segment : {};
      for (const index of (support.groundingChunkIndices as unknown[]).slice(0, MAX_TOLD)) {
        const source = typeof index === 'number' ? sources[index] : undefined;
        if (source !== undefined) add(source, segment, 'groundingMetadata', places, events);
      }
    }
  }

  return {
    read({ groundingMetadata, citationMetadata }, places, events) {
      if (isObject(groundingMetadata)) readGrounding(groundingMetadata, places, events);
      if (!isObject(citationMetadata)) return;
      const list = citationMetadata.citationSources ?? citationMetadata.citations;
      if (!Array.isArray(list)) return;
      for (const source of list.slice(0, MAX_TOLD)) {
        add(source, isObject(source) ? source : NOWHERE, 'citationMetadata', places, events);
      }
    },
  };
}

const MAX_TOLD = 1_000;

/** `startIndex`, `endIndex`, `partIndex`; zero is left out of this JSON. */
type Segment = Record<string, unknown>;
const NOWHERE: Segment = {};

function spanOf({ startIndex, endIndex, partIndex }: Segment, places: TextPlaces): [number, number] | [null, null] {
  const [first, last, part] = [place(startIndex ?? 0), place(endIndex), place(partIndex ?? 0)];
  if (first === null || last === null || part === null || first > last) return [null, null];
  const [start, end] = [places.at(first, part), places.at(last, part)];
  return start === null || end === null ? [null, null] : [start, end];
}

const place = (value: unknown): number | null => (typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null);
