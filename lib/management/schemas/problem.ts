import * as z from 'zod';

export const problem = z
  .strictObject({
    type: z.string().meta({ description: 'Where the error is explained.', examples: ['/docs/errors#invalid'] }),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: 'The machine’s word for it, the fragment of `type`.' }),
    detail: z.string(),
    instance: z.string().meta({ description: 'Path of the request.' }),
    request_id: z.string(),
    errors: z
      .array(z.strictObject({ field: z.string().meta({ description: 'Dotted path, e.g. `tiers.1.model`; empty for the whole.' }), message: z.string() }))
      .meta({ description: 'Each member that is wrong.' }),
  })
  .meta({ description: 'RFC 9457 problem details.' });

export type ProblemBody = z.output<typeof problem>;
