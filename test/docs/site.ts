/** Builds the documentation, and serves it on this machine as a plain file server does. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

export const hasPackages = existsSync('docs/node_modules/vitepress');

/** @returns the folder of the built site. `DOCS_DIST` names one that is built already, to save time while writing tests. */
export function buildSite(): string {
  const ready = process.env.DOCS_DIST;
  if (ready !== undefined) return ready;
  execFileSync(process.execPath, ['scripts/docs.mjs', 'build'], { stdio: 'inherit' });
  return 'docs/.vitepress/dist';
}

/** The files of a folder with this ending, as paths in it. */
export const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => path.replaceAll('\\', '/'));

export interface Served extends AsyncDisposable {
  origin: string;
  /** Paths that were asked for and do not exist. */
  missing: string[];
}

export async function serve(folder: string): Promise<Served> {
  const missing: string[] = [];
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://site').pathname);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) {
      missing.push(path);
      response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' });
      return response.end(readFileSync(join(folder, '404.html')));
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    return response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    missing,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
