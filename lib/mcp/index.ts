export { createMcp, type Mcp, type McpOptions } from './mcp';
export { NOT_TELEMETRY, providersReport, type ProvidersReport } from './report';
