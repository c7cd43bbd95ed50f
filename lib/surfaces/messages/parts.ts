import { isObject, unread, unsupported, unsupportedValue } from '../../wire';
import { Unsayable } from './unsayable';

type Block = Record<string, unknown>;
export type Part = Record<string, unknown>;

/** Content as a list of blocks; a string is one text block. */
export function blocksOf(content: unknown, place: string): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (Array.isArray(content) && (content as unknown[]).every(isObject)) return content as Block[];
  throw new Unsayable(unsupportedValue(place, `\`${place}\` must be a string or a list of blocks.`));
}

/** The canonical parts of one block that a user may send; none for an empty text. */
export function partsOf(block: Block, place: string, dropped: Set<string>): Part[] {
  switch (block.type) {
    case 'text':
      return textPart(block, dropped);
    case 'image':
      nameUnread(block, IMAGE, dropped);
      return [withBreakpoint({ type: 'image_url', image_url: { url: imageUrl(block.source, `${place}.source`) } }, block, dropped)];
    case 'document':
      return documentParts(block, place, dropped);
    default:
      throw new Unsayable(unsupported(place, `A block of type \`${String(block.type).slice(0, 64)}\` exists only where a tier speaks this API itself.`));
  }
}

/** Members of a block that get lost, by name. */
export function nameUnread(block: Block, read: ReadonlySet<string>, dropped: Set<string>): void {
  for (const name of unread(block, read)) dropped.add(name);
}

export const TEXT = new Set(['type', 'text', 'citations', 'cache_control']);
const IMAGE = new Set(['type', 'source', 'cache_control']);
const DOCUMENT = new Set(['type', 'source', 'title', 'context', 'citations', 'cache_control']);

export function textPart(block: Block, dropped: Set<string>): Part[] {
  nameUnread(block, TEXT, dropped);
  if (typeof block.text !== 'string' || block.text === '') return [];
  if (Array.isArray(block.citations) && block.citations.length > 0) dropped.add('citations');
  return [withBreakpoint({ type: 'text', text: block.text }, block, dropped)];
}

/** Text alone, with no breakpoint to carry, is a string: every vendor reads that. */
export function plainContent(parts: Part[]): string | Part[] {
  const [only] = parts;
  return parts.length === 1 && only!.type === 'text' && only!.prompt_cache_breakpoint === undefined ? (only!.text as string) : parts;
}

export function withBreakpoint(part: Part, { cache_control: control }: Block, dropped: Set<string>): Part {
  if (!isObject(control)) return part;
  if (control.ttl !== undefined && control.ttl !== null && control.ttl !== '5m') dropped.add('cache_control.ttl');
  return { ...part, prompt_cache_breakpoint: { mode: 'explicit' } };
}

function imageUrl(source: unknown, place: string): string {
  if (isObject(source) && source.type === 'url' && typeof source.url === 'string') return source.url;
  if (isObject(source) && source.type === 'base64' && typeof source.data === 'string' && typeof source.media_type === 'string') return `data:${source.media_type};base64,${source.data}`;
  throw new Unsayable(unsupportedValue(place, `\`${place}\` must be \`base64\` or \`url\`: files that a provider keeps cannot be sent to another.`));
}

function documentParts(block: Block, place: string, dropped: Set<string>): Part[] {
  if (isObject(block.citations) && block.citations.enabled === true) throw new Unsayable(unsupported(`${place}.citations`, 'Citations of documents exist only where a tier speaks this API itself.'));
  nameUnread(block, DOCUMENT, dropped);
  const source = isObject(block.source) ? block.source : ({} as Block);
  const title = typeof block.title === 'string' ? block.title : null;
  const heading = [title, block.context].filter((line) => typeof line === 'string' && line !== '').join('\n');
  const above: Part[] = heading === '' ? [] : [{ type: 'text', text: heading }];
  if (source.type === 'base64' && source.media_type === 'application/pdf' && typeof source.data === 'string') {
    const file = { type: 'file', file: { filename: title ?? 'document.pdf', file_data: `data:application/pdf;base64,${source.data}` } };
    return [...(typeof block.context === 'string' ? above : []), withBreakpoint(file, block, dropped)];
  }
  if (source.type === 'text' && typeof source.data === 'string') return [...above, ...textPart({ text: source.data, cache_control: block.cache_control }, dropped)];
  if (source.type === 'content') {
    const inner = blocksOf(source.content, `${place}.source.content`).flatMap((each, index) => partsOf(each, `${place}.source.content[${index}]`, dropped));
    const last = inner.at(-1);
    return [...above, ...inner.slice(0, -1), ...(last === undefined ? [] : [withBreakpoint(last, block, dropped)])];
  }
  throw new Unsayable(unsupportedValue(`${place}.source`, `\`${place}.source\` must be a base64 PDF or text: a document behind an address or kept by a provider cannot be sent to another.`));
}
