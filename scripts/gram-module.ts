/** Compiles the inner loop of src/math/gram.ts, and writes it down as a module that holds its bytes. */
import { main } from 'assemblyscript/asc';
import { MEMORY } from '../src/math/gram/layout.js';

const PAGE_BYTES = 65_536;

export async function gramModule(): Promise<string> {
  let bytes = new Uint8Array();
  const pages = String((MEMORY * Float32Array.BYTES_PER_ELEMENT) / PAGE_BYTES);
  const { error, stderr } = await main(
    [
      ...['assembly/gram.ts', '--outFile', 'gram.wasm', '--runtime', 'stub', '--enable', 'simd'],
      ...['--optimizeLevel', '3', '--shrinkLevel', '1', '--converge', '--noAssert'],
      ...['--initialMemory', pages, '--maximumMemory', pages],
    ],
    {
      writeFile(_, contents) {
        bytes = Uint8Array.from(contents as Uint8Array);
      },
    },
  );
  if (error) throw new Error(`assembly/gram.ts does not compile: ${stderr}`, { cause: error });
  return `// Generated from assembly/gram.ts by "npm run generate". A test fails when it is out of date.
export const MODULE =
  '${Buffer.from(bytes).toString('base64')}';
`;
}
