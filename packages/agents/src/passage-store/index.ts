/**
 * A store of left-out passages that survives a restart. It holds texts of tools in plain text.
 *
 * @packageDocumentation
 */
export { type ClosablePassageStore, type SqlitePassageStoreOptions, sqlitePassageStore } from './sqlite.js';
