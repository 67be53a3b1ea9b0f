/** The log of `context-shaping-mcp`: a JSON line about each shaped result. */

import { UsageError, why } from 'context-shaping/cli';
import { openOwn } from 'context-shaping/kit';
import type { McpCallReport } from './options.js';

/** Several processes may write to one log on a local disk: each line is one append. */
export async function callLog(
  file: string,
): Promise<{ add(call: McpCallReport): Promise<void>; close(): Promise<void> }> {
  const handle = await openOwn(file, 'a').catch((cause) => {
    throw new UsageError(`Cannot write ${file}: ${why(cause)}. Name another file with --log.`, { cause });
  });
  return {
    add: async (call) => {
      await handle.appendFile(`${JSON.stringify({ time: new Date().toISOString(), ...call })}\n`);
    },
    close: () => handle.close(),
  };
}
