import * as z from 'zod';
import type { Runtime } from '../boot';
import type { Env } from '../std/env';
import type { Actor, Role } from '../tenancy/actor';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an operation may use of the process. */
export type Services = Pick<Runtime, 'tenancy' | 'ledger' | 'engine' | 'standings'> & { env: Pick<Env, 'publicUrl' | 'host' | 'port'> };

export interface OperationContext<Q, B> {
  services: Services;
  actor: Actor;
  /** Path members, e.g. `id`. */
  params: Record<string, string>;
  query: Q;
  body: B;
  /** From If-Match; null where it may be left out and was. */
  revision: number | null;
  /** Fires when the client leaves. */
  signal: AbortSignal;
}

export interface OperationSpec<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> {
  /** Stable: client generators name their functions after it. */
  id: string;
  method: Method;
  /** Below /api/v1, OpenAPI style: `/routes/{id}/test`. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** The least role that may. The verbs check again; the door checks first, so that a wrong body tells nothing. */
  role: Role;
  query?: Q;
  body?: B;
  /** A body may be left out: it is then `{}`. */
  bodyOptional?: true;
  /** Takes If-Match with the revision that was read: `required` for edits, `optional` for removals. */
  ifMatch?: 'required' | 'optional';
  status: 200 | 201 | 204;
  /** Name in `components.schemas` and schema; null with 204. */
  response: { name: string; schema: R } | null;
  /** Refusals of its own, beyond those that every operation has. */
  refusals?: readonly (402 | 404 | 409)[];
  /** Answers with a file, of one of these media types, instead of JSON. */
  files?: readonly string[];
  run(context: OperationContext<z.output<Q>, z.output<B>>): Promise<z.output<R>>;
}

/** An operation with its types worked in: what the door, the OpenAPI document and the tests iterate over. */
export interface Operation extends Omit<OperationSpec<z.ZodType, z.ZodType, z.ZodType>, 'run' | 'query'> {
  query: z.ZodType;
  run(context: OperationContext<unknown, unknown>): Promise<unknown>;
}

/** What an operation with `files` gives. */
export interface Download {
  name: string;
  /** Media type. */
  type: string;
  bytes: number;
  body: ReadableStream<Uint8Array>;
}

type DownloadSpec<Q extends z.ZodType> = Pick<OperationSpec<Q, z.ZodUndefined, z.ZodVoid>, 'id' | 'path' | 'tag' | 'summary' | 'description' | 'role' | 'query' | 'refusals'> & {
  files: readonly string[];
  run(context: OperationContext<z.output<Q>, undefined>): Promise<Download>;
};

/** An operation whose answer is a file. */
export function download<Q extends z.ZodType = z.ZodObject<{}>>(spec: DownloadSpec<Q>): Operation {
  return {
    ...spec,
    method: 'GET',
    status: 200,
    response: null,
    query: spec.query ?? z.strictObject({}),
    run: (context) => spec.run(context as OperationContext<z.output<Q>, undefined>),
  };
}

export function operation<Q extends z.ZodType = z.ZodObject<{}>, B extends z.ZodType = z.ZodUndefined, R extends z.ZodType = z.ZodVoid>(
  spec: OperationSpec<Q, B, R>,
): Operation {
  return {
    ...spec,
    query: spec.query ?? z.strictObject({}),
    // The door parsed both with the schemas above.
    run: (context) => spec.run(context as OperationContext<z.output<Q>, z.output<B>>),
  };
}
