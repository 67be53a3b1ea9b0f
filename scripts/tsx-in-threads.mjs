/**
 * With `--import`, after tsx: lets worker threads import TypeScript, too. On Node 20 tsx serves only their `require`,
 * and would not find modules that are imported on demand.
 */
import { isMainThread } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

if (!isMainThread) register();
