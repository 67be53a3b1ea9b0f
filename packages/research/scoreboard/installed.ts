/** Packages that are compared, and their versions. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Packages that are too large for this tree, installed by `npm run setup:all`. */
const HOSTS = 'packages/agents/test/hosts/node_modules';

const versionIn = (folder: string, name: string): string | undefined => {
  const file = join(folder, name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
};

export const versionOf = (name: string): string => versionIn('node_modules', name) ?? '';
export const versionOfHost = (name: string): string => versionIn(HOSTS, name) ?? '';
export const missingHost = (name: string): string | undefined =>
  versionIn(HOSTS, name) === undefined ? `${name} is not installed: run npm run setup:all` : undefined;

/** @typeParam Module the part of it that is used. */
export const importHost = <Module>(name: string, file: string): Promise<Module> =>
  import(pathToFileURL(resolve(HOSTS, name, file)).href);
