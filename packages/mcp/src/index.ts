/** A proxy before a server of MCP that shapes the results of its tools, and a server of its own. */
export type { McpTransport } from './json-rpc.js';
export {
  type Ended,
  type LineTransport,
  lineTransport,
  type ServerProcess,
  startServer,
} from './line-transport.js';
export type { McpCallReport, McpProxyOptions } from './options.js';
export { createOutputServer } from './output-server.js';
export { proxyMcp } from './proxy.js';
export { createShapingServer } from './shaping-server.js';
