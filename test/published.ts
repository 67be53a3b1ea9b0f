/** The packages that are published: each folder of `packages/` whose manifest is not private. So a new one escapes no check. */
import { readdirSync, readFileSync } from 'node:fs';

/** Names of the folders in `packages/`, sorted. */
export const PACKAGES: readonly string[] = readdirSync('packages')
  .filter((name) => JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')).private !== true)
  .sort();

/** Folders of all manifests, the plugin's first. */
export const FOLDERS: readonly string[] = ['.', ...PACKAGES.map((name) => `packages/${name}`)];
