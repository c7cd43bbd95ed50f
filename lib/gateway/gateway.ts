import { newId, Roster } from '../std';
import type { Engine } from './engine';
import { handleCall } from './handle-call';
import { handleModels } from './handle-models';
import { interrupt, type OpenCall } from './open-call';
import type { CallRequest, Sink } from './ports';
import { REFUSALS, type Rejection, rejection } from './rejection';
import { sendRejection } from './respond';
import { type Surface, surfaceAt, surfaceSpokenBy } from '../surfaces';

/** The engine as its doors see it. */
export interface Gateway {
  /** Is this path part of the data plane, or of one whose client lost /v1 on the way? */
  owns(method: string, path: string, headers: CallRequest['headers']): boolean;
  /** Answers one request, whatever it is. Never rejects. */
  handle(request: CallRequest, sink: Sink): Promise<void>;
  /** Calls with a client waiting. */
  openCalls(): number;
  /** The drain's deadline: every open call ends now, in-band. */
  cutOpenCalls(): void;
}

export function createGateway(engine: Engine): Gateway {
  const open = new Roster<OpenCall>();

  const dispatch = (request: CallRequest, sink: Sink): Promise<void> | void => {
    const path = pathOf(request.path);
    const surface = surfaceAt(path);
    if (surface !== null) return request.method === 'POST' ? handleCall(engine, open, surface, request, sink) : notAllowed(sink, 'POST', surface);
    if (path === MODELS || path.startsWith(`${MODELS}/`)) return request.method === 'GET' ? handleModels(engine, request, path.slice(MODELS.length + 1), sink) : notAllowed(sink, 'GET', surfaceSpokenBy(request.headers));
    refuse(sink, rejection(404, { type: 'invalid_request_error', code: 'unknown_url', message: `There is no ${request.method} ${path} here.${baseUrlHint(path)}` }), surfaceSpokenBy(request.headers));
  };

  return {
    owns: (method, path, headers) => {
      const plain = pathOf(path);
      return surfaceAt(plain) !== null || plain === MODELS || plain.startsWith(`${MODELS}/`) || lacksVersion(method, plain, headers);
    },
    async handle(request, sink) {
      try {
        await dispatch(request, sink);
      } catch (error) {
        engine.report(error);
        if (!sink.closed) sendRejection(sink, surfaceAt(pathOf(request.path)) ?? surfaceSpokenBy(request.headers), newId('req'), REFUSALS.internal(), null);
      }
    },
    openCalls: () => open.size,
    cutOpenCalls: () => {
      for (const call of [...open.all()]) interrupt(call, 'drain');
    },
  };
}

const MODELS = '/v1/models';

/** Asked by a client whose base URL lacks /v1. A page of that address is got, without a key: /models is one. */
const lacksVersion = (method: string, path: string, headers: CallRequest['headers']): boolean =>
  method === 'POST' ? surfaceAt(`/v1${path}`) !== null : method === 'GET' && `/v1${path}` === MODELS && /^Bearer /i.test(String(headers.authorization ?? ''));

/** The two ways to be wrong about /v1: most libraries add only what follows it, Anthropic's adds it too. */
function baseUrlHint(path: string): string {
  if (path === '/v1/v1' || path.startsWith('/v1/v1/')) return ' This client adds /v1 by itself, so its base URL must not end in /v1.';
  return path.startsWith('/v1/') ? '' : ' The base URL ends in /v1.';
}

const pathOf = (url: string): string => {
  const query = url.indexOf('?');
  let end = query === -1 ? url.length : query;
  while (url[end - 1] === '/') end--; // the same with a slash at its end
  return url.slice(0, end);
};

function refuse(sink: Sink, refused: Rejection, surface: Surface): void {
  sendRejection(sink, surface, newId('req'), refused, null);
}

function notAllowed(sink: Sink, allow: string, surface: Surface): void {
  const refused = rejection(405, { type: 'invalid_request_error', code: 'method_not_allowed', message: `Use ${allow}.` });
  refused.allow = allow;
  refuse(sink, refused, surface);
}
