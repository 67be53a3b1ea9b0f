/** Whether Transformers.js is there, and folders of models for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mustHaveAll } from '../../../must-have-all.js';

let isThere = true;
try {
  createRequire(import.meta.url).resolve('@huggingface/transformers');
} catch {
  isThere = false;
}

/** Whether the package is installed. */
export const isInstalled = isThere;

/** In continuous integration a missing package fails the test; elsewhere its tests are reported as skipped. */
export function mustBeInstalled(): void {
  test.runIf(mustHaveAll)('@huggingface/transformers is installed', () => expect(isInstalled).toBe(true));
}

/** A new folder outside of the tree, which is there until all tests of the file have ended. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'context-shaping-transformers-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
