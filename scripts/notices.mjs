/** Licences of packages, which ask to go with every copy. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The licences of all packages that a bundle has parts of.
 *
 * @param inputs the bundle's files, as esbuild lists them.
 */
export function noticesOf(inputs) {
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].map(noticeOf).join('\n');
}

function noticeOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = readdirSync(folder).filter((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}
