/** The compose file and the packages that read it, from `tools/`. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { substituted } from './substituted.js';

const TOOLS = resolve('tools/package.json');
/** A package of `tools/`, which `npm run setup:all` installs. */
export const tool = createRequire(TOOLS);
export const hasTools = existsSync('tools/node_modules/dclint');

interface Container {
  image?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  command?: string[];
  entrypoint?: string[];
  healthcheck?: { test: string[] };
  deploy?: { resources: { limits: Record<string, unknown> } };
  volumes?: string[];
  stop_grace_period?: string;
}

export const COMPOSE = 'deploy/compose.yaml';
/** The differences from {@link COMPOSE} with several replicas. */
export const REPLICAS = 'deploy/compose.replicas.yaml';

export function containers(file = COMPOSE): Record<string, Container> {
  const { parse } = tool('yaml') as { parse(text: string, options: object): { services: never } };
  // The tags of Compose, such as !reset, mean nothing to the parser.
  return parse(readFileSync(file, 'utf8'), { merge: true, logLevel: 'error' }).services;
}

/** A script of the compose file for `sh`, with files and programs of this machine in place of the container's. */
export function scriptOf(words: readonly string[] | undefined, here: Record<string, string>): string {
  const script = (words ?? []).reduce((one, other) => (one.length > other.length ? one : other), '');
  return substituted(script.replaceAll('$$', '$'), here);
}
