/**
 * Stores of left-out passages that survive a restart. They hold texts of tools in plain text.
 *
 * @packageDocumentation
 */
export { type RedisLike, type RedisPassageStoreOptions, redisPassageStore } from './redis.js';
export { type SqlitePassageStoreOptions, sqlitePassageStore } from './sqlite.js';
export type { ClosablePassageStore } from './store.js';
