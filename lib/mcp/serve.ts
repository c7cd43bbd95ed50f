import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import * as z from 'zod';
import type { Told } from './mcp';
import { NOT_TELEMETRY, providersReport } from './report';

/**
 * Answers one message, or one batch, that has been read already. A server and a transport of their own for each:
 * without sessions nothing outlives an answer.
 */
export async function serve(request: Request, message: unknown, tell: (route: string | null) => Promise<Told>): Promise<Response> {
  const server = withTool(tell);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

const DESCRIPTION =
  'Which routes and tiers the API key of this connection may use and which of them a call would ask now, in the order of their owner, with the reason where one would not be asked. ' +
  `Asks no provider and costs nothing. ${NOT_TELEMETRY}`;

const ARGUMENTS = z.strictObject({
  route: z.string().max(256).optional().meta({ description: 'One route by its name, as X-Ohm-Route says it; left out: all of them, as far as they fit into one answer.' }),
});

/** For answers to questions that a server puts to its client. This one puts none, and the library's own takes longer to make than an answer. */
const NO_VALIDATOR = {
  getValidator: (): never => {
    throw new Error('nothing is asked of clients');
  },
};

function withTool(tell: (route: string | null) => Promise<Told>): McpServer {
  const server = new McpServer({ name: 'ohm', title: 'Ohm', version: '1.0.0' }, { jsonSchemaValidator: NO_VALIDATOR });
  server.registerTool(
    'ohm_providers',
    {
      title: 'Key and route readiness',
      description: DESCRIPTION,
      inputSchema: ARGUMENTS,
      outputSchema: providersReport,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    async ({ route }) => {
      const told = await tell(route ?? null);
      if (!told.ok) return { isError: true, content: [{ type: 'text', text: told.message }] };
      return { structuredContent: told.report, content: [{ type: 'text', text: JSON.stringify(told.report) }] };
    },
  );
  server.server.registerCapabilities({ tools: { listChanged: false } }); // the list never changes, and there is nobody to tell
  return server;
}
