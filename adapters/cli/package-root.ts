/** This package's own folder. It is fewer folders up in the sources than in a build. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @throws Error if the files of the package were moved apart. */
export function ownPackage(): { root: string; version: string } {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = nameAndVersion(join(folder, 'package.json'));
    if (found?.name === 'context-shaping') return { root: folder, version: found.version };
    if (dirname(folder) === folder) {
      throw new Error('The package.json of context-shaping is missing. Install context-shaping again.');
    }
  }
}

function nameAndVersion(file: string): { name?: string; version: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version: string };
  } catch {
    return undefined;
  }
}
