import { isAbsent, isObject, type Losses, nonEmpty, unread } from '../../wire';
import type { Members } from './json-values';

/** How one conversation's content is translated: what gets lost, and how many cache marks are still to be left out. */
export interface PartContext {
  losses: Losses;
  /** Of the parts that ask for a cache mark, so many come too early: the wire takes four, and later ones reach further. */
  surplusMarks: number;
}

/** What a message of some role may hold. */
export type PartKinds = 'text' | 'spoken' | 'any';

export const MAX_CACHE_MARKS = 4;

/** A message's content as blocks, each as JSON text. Texts without a word are left out: the wire refuses them. */
export function blocksOf(content: unknown, path: string, kinds: PartKinds, context: PartContext): string[] {
  if (isAbsent(content)) return [];
  if (typeof content === 'string') return textBlocks(content, null);
  if (!Array.isArray(content)) {
    context.losses.refuseValue(`${path}.content`, `\`${path}.content\` must be a string or a list of parts.`);
    return [];
  }
  return content.flatMap((part: unknown, at) => partBlocks(part, `${path}.content[${at}]`, kinds, context));
}

export const textBlock = (text: string): string => JSON.stringify({ type: 'text', text });

const textBlocks = (text: string, mark: Members | null): string[] => (text.trim() === '' ? [] : [JSON.stringify({ type: 'text', text, ...mark })]);

function partBlocks(part: unknown, path: string, kinds: PartKinds, context: PartContext): string[] {
  const { losses } = context;
  if (!isObject(part)) {
    losses.refuseValue(path, `\`${path}\` must be an object.`);
    return [];
  }
  for (const name of unread(part, READ, nonEmpty(part.type) ?? undefined)) losses.drop(name);
  const mark = cacheMark(part, context);
  if (part.type === 'text' && typeof part.text === 'string') return textBlocks(part.text, mark);
  if (kinds === 'spoken' && part.type === 'refusal' && typeof part.refusal === 'string') return textBlocks(part.refusal, mark);
  if (kinds === 'any' && part.type === 'image_url') return imageBlocks(part, path, mark, losses);
  if (kinds === 'any' && part.type === 'file') return fileBlocks(part, path, mark, losses);
  losses.refuseValue(path, part.type === 'input_audio' ? 'This model does not take audio.' : `\`${path}\` is of a type that this model does not take here.`);
  return [];
}

const READ = new Set(['type', 'prompt_cache_breakpoint']);

function cacheMark(part: Members, context: PartContext): Members | null {
  if (!asksForMark(part)) return null;
  if (context.surplusMarks > 0) {
    context.surplusMarks--;
    context.losses.drop('prompt_cache_breakpoint');
    return null;
  }
  return { cache_control: { type: 'ephemeral' } };
}

const asksForMark = (part: unknown): boolean => isObject(part) && isObject(part.prompt_cache_breakpoint);

/** Parts of all messages that ask for a cache mark. */
export function countMarks(messages: readonly unknown[]): number {
  let marks = 0;
  for (const message of messages) {
    if (isObject(message) && Array.isArray(message.content)) for (const part of message.content) if (asksForMark(part)) marks++;
  }
  return marks;
}

function imageBlocks(part: Members, path: string, mark: Members | null, losses: Losses): string[] {
  const image = isObject(part.image_url) ? part.image_url : { url: part.image_url };
  if (!isAbsent(image.detail) && image.detail !== 'auto') losses.drop('image_url.detail');
  const url = nonEmpty(image.url);
  const data = url === null ? null : dataUrl(url);
  const mediaType = data?.mediaType === 'image/jpg' ? 'image/jpeg' : data?.mediaType;
  if (mediaType !== undefined && IMAGES.has(mediaType)) return [JSON.stringify({ type: 'image', source: { type: 'base64', media_type: mediaType, data: data!.base64 }, ...mark })];
  if (data === null && url !== null && /^https?:\/\//i.test(url)) return [JSON.stringify({ type: 'image', source: { type: 'url', url }, ...mark })];
  losses.refuseValue(path, 'This model takes images as JPEG, PNG, GIF or WebP in base64, or by an https address.');
  return [];
}

const IMAGES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

function fileBlocks(part: Members, path: string, mark: Members | null, losses: Losses): string[] {
  const file = isObject(part.file) ? part.file : {};
  const name = nonEmpty(file.filename);
  const sent = nonEmpty(file.file_data);
  const data = sent === null ? null : (dataUrl(sent) ?? bareBase64(sent));
  if (data?.mediaType === 'application/pdf') {
    const source = { type: 'base64', media_type: data.mediaType, data: data.base64 };
    return [JSON.stringify({ type: 'document', source, ...(name === null ? {} : { title: name }), ...mark })];
  }
  losses.refuseValue(path, isAbsent(file.file_id) ? 'This model takes files as PDF in base64.' : 'A file that another provider stores cannot be sent to this model.');
  return [];
}

/** `data:image/png;base64,…`; null for anything else. Files are large: no pattern goes over the data. */
function dataUrl(url: string): { mediaType: string; base64: string } | null {
  const comma = url.slice(0, 5).toLowerCase() === 'data:' ? url.indexOf(',') : -1;
  if (comma === -1 || comma > 256) return null;
  const [mediaType, ...rest] = url.slice(5, comma).toLowerCase().split(';');
  return rest.at(-1)?.trim() === 'base64' ? { mediaType: mediaType!.trim(), base64: url.slice(comma + 1) } : null;
}

/** A PDF's first bytes, in base64: some clients leave the `data:` away. */
const bareBase64 = (text: string): { mediaType: string; base64: string } | null => (text.startsWith('JVBERi0') ? { mediaType: 'application/pdf', base64: text } : null);
