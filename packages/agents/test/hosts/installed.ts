/** Which hosts can run here: their packages are installed by `npm run setup:all`, and some need a newer Node. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const FOLDER = join(import.meta.dirname, 'node_modules');

/** The packages in this folder that are not in the root of the tree. */
export const PACKAGES_OF_HOSTS: readonly string[] = Object.keys(
  JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')).devDependencies,
).filter((name) => !existsSync(join('node_modules', name)));

/** Lets a project import the packages of the hosts that are installed. */
export function linkHosts(project: string): void {
  for (const name of PACKAGES_OF_HOSTS) {
    const link = join(project, 'node_modules', name);
    if (!existsSync(join(FOLDER, name))) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve(FOLDER, name), link);
  }
}

/** The version of an installed package; undefined if it is not installed. */
export function versionOf(name: string): string | undefined {
  return manifestOf(name)?.version;
}

/** Why a package cannot run here; undefined if it can. */
export function missing(name: string): string | undefined {
  const manifest = manifestOf(name);
  if (manifest === undefined) return `${name} is not installed: run npm run setup:all`;
  const [least = '0'] = /\d+/.exec(manifest.engines?.node ?? '') ?? [];
  const [here = '0'] = process.versions.node.split('.');
  return Number(here) < Number(least)
    ? `${name} ${manifest.version} needs Node ${least}, this is Node ${here}`
    : undefined;
}

function manifestOf(name: string): { version: string; engines?: { node?: string } } | undefined {
  const file = join(FOLDER, name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
