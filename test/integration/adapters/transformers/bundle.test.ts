import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, { 'context-shaping-source'?: string }>;
};
const entries = Object.entries(exports).flatMap(([name, each]) => {
  const source = each['context-shaping-source'];
  return source === undefined ? [] : [[name, source] as const];
});

/** The files of this package in the bundle of an entry, and the packages that it imports. */
async function filesOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external: ['#*'],
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return [...Object.keys(metafile.inputs), ...imported];
}

test('no other entry bundles these models, and none bundles Transformers.js', async () => {
  for (const [name, source] of entries) {
    const files = await filesOf(source);
    const own = files.filter((file) => file.startsWith('adapters/transformers/'));
    expect(own.length > 0, name).toBe(name === './transformers');
    expect(files.filter((file) => file.includes('huggingface'))).toEqual([]);
  }
});
