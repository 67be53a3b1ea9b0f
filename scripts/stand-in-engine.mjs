/** With `--import`: a stand-in for the package node-llama-cpp, which runs a small model in plain TypeScript. */
import { register } from 'node:module';

const standIn = new URL('../test/adapters/logprobs/servers/node-llama-cpp.ts', import.meta.url).href;
const hooks = `export const resolve = (name, context, next) =>
  next(name === 'node-llama-cpp' ? ${JSON.stringify(standIn)} : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
