/** Contexts under version control: lockfiles that are recorded, replayed and compared. */
export { openLockfile } from './open.js';
export { parseLockfile } from './parse.js';
export { type RecordOptions, recordContext } from './record.js';
export { formatLockfile } from './text.js';
export type {
  ContextLockfile,
  LockfileTexts,
  OpenOptions,
  RecordedChunk,
  RecordedIdentity,
  RecordedInput,
  RecordedServices,
  RecordedVector,
} from './types.js';
