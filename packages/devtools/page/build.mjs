/** Builds the inspector's page application: one script with the core in it, and one style sheet. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));

/**
 * Bundles the sources. Imports on demand become parts of the one script, because the page makes no request.
 *
 * @returns `script`: a classic script. `style`: a style sheet. `evaluationStyle`: that of the page of an evaluation. `inputs`: the
 *   bundled files of the application. All three can stand in an HTML element as they are.
 */
export async function buildInspector() {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${folder}main.tsx`],
    outdir: folder,
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    charset: 'utf8',
    conditions: ['context-shaping-source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
    legalComments: 'none',
  });
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text;
  // In an HTML element, these begin a comment or a script. In the code they stand in literals alone.
  const script = textOf('.js').replaceAll(/<(?=!--|\/?script)/gi, String.raw`\x3c`);
  const page = await build({
    entryPoints: [`${folder}evaluation.css`],
    write: false,
    bundle: true,
    minify: true,
    charset: 'utf8',
  });
  const evaluationStyle = page.outputFiles[0].text;
  return { script, style: textOf('.css'), evaluationStyle, inputs: Object.keys(metafile.inputs) };
}
