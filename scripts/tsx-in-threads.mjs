/**
 * With `--import`, after tsx: lets worker threads import TypeScript, too. On Node 20 tsx serves only their `require`,
 * and what is loaded on demand would not be found.
 */
import { isMainThread } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

if (!isMainThread) register();
