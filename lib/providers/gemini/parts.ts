import { isAbsent, isObject, nonEmpty, unread, unsupportedValue } from '../../wire';
import { type Draft, refuse } from './draft';

export type Part = Record<string, unknown>;

/** The parts of one message's content. Empty texts are left out, as the API rejects them. */
export function partsOf(content: unknown, kinds: readonly string[], path: string, draft: Draft): Part[] {
  if (isAbsent(content) || content === '') return [];
  if (typeof content === 'string') return [{ text: content }];
  if (!Array.isArray(content)) {
    refuse(draft, unsupportedValue(path, 'Content must be a string or a list of parts.'));
    return [];
  }
  const parts: Part[] = [];
  for (const [index, part] of content.entries()) {
    const made = partOf(part, kinds, `${path}[${index}]`, draft);
    if (made !== null) parts.push(made);
  }
  return parts;
}

export const TEXT_ONLY = ['text'] as const;
export const USER_PARTS = ['text', 'image_url', 'input_audio', 'file'] as const;
export const RESULT_PARTS = ['text', 'image_url', 'file'] as const;
export const ASSISTANT_PARTS = ['text', 'refusal'] as const;

const READ = new Set(['type']);

function partOf(part: unknown, kinds: readonly string[], path: string, draft: Draft): Part | null {
  if (!isObject(part) || typeof part.type !== 'string' || !kinds.includes(part.type)) {
    const kind = !isObject(part) ? 'no object' : typeof part.type === 'string' ? part.type : 'no type';
    refuse(draft, unsupportedValue(isObject(part) ? `${path}.type` : path, `A part of this kind (${kind.slice(0, 40)}) cannot be sent here.`));
    return null;
  }
  const { type } = part;
  for (const name of unread(part, READ, type)) draft.dropped.add(name);
  switch (type) {
    case 'image_url':
      return imagePart(part.image_url, `${path}.image_url`, draft);
    case 'input_audio':
      return audioPart(part.input_audio, `${path}.input_audio`, draft);
    case 'file':
      return filePart(part.file, `${path}.file`, draft);
    default: {
      const text = part[type]; // `text`, `refusal`
      if (typeof text === 'string') return text === '' ? null : { text };
      refuse(draft, unsupportedValue(`${path}.${type}`, 'The text of a part must be a string.'));
      return null;
    }
  }
}

function imagePart(image: unknown, path: string, draft: Draft): Part | null {
  const url = isObject(image) ? image.url : image;
  const detail = isObject(image) ? nonEmpty(image.detail) : null;
  draft.imageDetails.add(detail ?? 'auto');
  return mediaPart(url, isObject(image) ? `${path}.url` : path, draft);
}

function audioPart(audio: unknown, path: string, draft: Draft): Part | null {
  draft.otherMedia = true;
  const data = isObject(audio) ? nonEmpty(audio.data) : null;
  const format = isObject(audio) ? audio.format : null;
  if (data === null || (format !== 'wav' && format !== 'mp3')) {
    refuse(draft, unsupportedValue(data === null ? `${path}.data` : `${path}.format`, 'Audio must be base64 data in wav or mp3.'));
    return null;
  }
  return { inlineData: { mimeType: `audio/${format}`, data } };
}

function filePart(file: unknown, path: string, draft: Draft): Part | null {
  draft.otherMedia = true;
  if (!isObject(file) || !isAbsent(file.file_id) || typeof file.file_data !== 'string') {
    const id = isObject(file) && !isAbsent(file.file_id);
    refuse(draft, unsupportedValue(id ? `${path}.file_id` : `${path}.file_data`, id ? 'A file that was uploaded to another provider cannot be read here; send `file_data`.' : 'A file must carry `file_data`.'));
    return null;
  }
  if (!isAbsent(file.filename)) draft.dropped.add('file.filename');
  return mediaPart(file.file_data, `${path}.file_data`, draft);
}

/** A `data:` URL with base64 goes inline; an address only where the model fetches it itself. */
function mediaPart(url: unknown, path: string, draft: Draft): Part | null {
  if (typeof url !== 'string') {
    refuse(draft, unsupportedValue(path, 'Media must be a `data:` or `https:` URL.'));
    return null;
  }
  if (/^data:/i.test(url)) {
    const comma = url.indexOf(',');
    const [mimeType = '', ...parameters] = url.slice(5, comma === -1 ? 5 : Math.min(comma, 205)).split(';');
    if (/^[\w.+-]+\/[\w.+-]+$/.test(mimeType) && parameters.at(-1)?.trim().toLowerCase() === 'base64') {
      return { inlineData: { mimeType: mimeType.toLowerCase(), data: url.slice(comma + 1) } };
    }
    refuse(draft, unsupportedValue(path, 'A `data:` URL must name its media type and hold base64.'));
    return null;
  }
  if (!/^https:\/\//i.test(url) || !(draft.model.fetchesUrls || UPLOADED.test(url))) {
    refuse(draft, unsupportedValue(path, 'This model takes media as a `data:` URL only.'));
    return null;
  }
  const mimeType = typeByName(url);
  return { fileData: mimeType === null ? { fileUri: url } : { mimeType, fileUri: url } };
}

/** The Files API's own addresses, which every model reads. */
const UPLOADED = /^https:\/\/generativelanguage\.googleapis\.com\/[^/]+\/files\//;

/** The media type that an address's file name promises, or null: then the provider looks for itself. */
function typeByName(url: string): string | null {
  const extension = /^[^?#]*\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url.slice(0, 4_096))?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, extension) ? TYPES[extension]! : null;
}

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  gif: 'image/gif',
  pdf: 'application/pdf',
  wav: 'audio/wav',
  mp3: 'audio/mp3',
  mp4: 'video/mp4',
  txt: 'text/plain',
};
