/** Installs what the proxy needs. */
export const INSTALL = 'npm install @modelcontextprotocol/client @modelcontextprotocol/server';
