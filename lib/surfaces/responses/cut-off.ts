import { isObject } from '../../wire';
import type { AnswerContext, ClientError, StreamSeen } from '../surface';
import { OwnStream } from './own-stream';

/** The end of a stream whose writer is gone: it goes on with the response's identity and numbers, as far as they were seen. */
export function cutOff(context: AnswerContext, { first, last }: StreamSeen, error: ClientError): string {
  const stream = new OwnStream(context);
  const created = openedResponse(dataLines(first)[0] ?? '');
  if (created !== null) stream.frame({ data: '', name: '', events: [{ type: 'identity', ...created }] });
  stream.frame({ data: dataLines(last).at(-1) ?? '', name: '', events: [] });
  return stream.truncated(error);
}

const dataLines = (text: string): string[] => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data!);

function openedResponse(data: string): { id: string; created: number; model: string } | null {
  try {
    const event: unknown = JSON.parse(data);
    if (!isObject(event) || !isObject(event.response)) return null;
    const { id, created_at, model } = event.response;
    return typeof id === 'string' && typeof created_at === 'number' && typeof model === 'string' ? { id, created: created_at, model } : null;
  } catch {
    return null; // half of it: the error carries an identity of the call's own
  }
}
