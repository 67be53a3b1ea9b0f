/** The sources as one file in which each place that makes an expression records it. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Place } from './places.js';

/** The name of the function that records. */
const RECORD = 'globalThis.recordExpression';

/**
 * Bundles `entry`. Before it runs, `globalThis.modules` has a function for each source file with such a place, which
 * loads the file.
 *
 * @param places those where a call makes the expression.
 */
export async function bundle(root: string, entry: string, places: readonly Place[], outfile: string) {
  const files = new Map<string, Place[]>();
  for (const place of places) files.set(place.file, [...(files.get(place.file) ?? []), place]);
  const recorded: Plugin = {
    name: 'recorded',
    setup({ onLoad, onResolve, resolve }) {
      onResolve({ filter: /^context-shaping(?:\/|$)/ }, ({ path, kind, pluginData }) =>
        pluginData === 'own'
          ? undefined
          : resolve(sourceOf(root, path), {
              kind,
              resolveDir: root,
              pluginData: 'own',
            }),
      );
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const own = files.get(relative(root, path)) ?? [];
        const text = readFileSync(path, 'utf8');
        const marks = own.flatMap(({ file, line, start, end }) => [
          { at: start, text: `${RECORD}('${file}:${line}', ` },
          { at: end, text: ')' },
        ]);
        // Places can be inside each other: an inner one ends before the outer one.
        const inserted = marks.sort((a, b) => a.at - b.at || Number(b.text === ')') - Number(a.text === ')'));
        let contents = '';
        let from = 0;
        for (const mark of inserted) {
          contents += text.slice(from, mark.at) + mark.text;
          from = mark.at;
        }
        contents += text.slice(from);
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
  const loads = [...files.keys()].map((file) => `() => import('./${file}')`);
  await build({
    stdin: {
      contents: `globalThis.modules = [${loads}]; await import('./${relative(root, entry)}');`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    conditions: ['context-shaping-source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.css': 'empty' },
    plugins: [recorded],
    logLevel: 'error',
  });
}

function sourceOf(root: string, name: string): string {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, { 'context-shaping-source': string }>;
  };
  const source = exports[name.replace(/^context-shaping/, '.')]?.['context-shaping-source'];
  if (source === undefined) throw new Error(`${name} is no entry.`);
  return source;
}
