import type { PassageStore } from '../conversation/index.js';

/** A store with a connection or a file. */
export interface ClosablePassageStore extends PassageStore, AsyncDisposable {
  close(): Promise<void>;
}
