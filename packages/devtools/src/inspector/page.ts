/**
 * The inspector's page: HTML with the program, its styles and the runs inside, which makes no request.
 *
 * Its readers are protected from the texts of strangers:
 * - The runs are JSON without any `<`, so nothing in them ends the element or begins another.
 * - The policy allows the one program and the one set of styles by their SHA-256. Nothing else runs or is loaded, so no
 *   text could be sent anywhere.
 * - `'wasm-unsafe-eval'` lets that program compile WebAssembly, and no text as code. The core multiplies
 *   vectors with it: all pairs of 200 vectors of 1,536 dimensions take 3 ms. Without it, the results are the same to the
 *   bit, but take 86 ms.
 */

import { invalidInput, isObject } from 'context-shaping/kit';
import { notices, script as program, scriptHash, style, styleHash } from '#inspector-app';
import { pageHead } from './html.js';
import type { InspectorRun, InspectorSource } from './types.js';

/** The value of the header `Content-Security-Policy` for a server that sends the page. The page has it in itself, too. */
export const inspectorPolicy: string = [
  "default-src 'none'",
  `script-src ${scriptHash} 'wasm-unsafe-eval'`,
  `style-src ${styleHash}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * Makes a page that shows runs: the context as the model gets it, its conflicts and flags, each other chunk with its
 * reason, and two runs side by side. The page is one HTML text without requests, and works from disk.
 *
 * @param runs in the order of the page. The page shows texts, and can shape again, where a run has a recorded context.
 * @param options `title` of the page. Default `Context inspector`.
 * @throws ContextShapingError `invalid-input`, naming the first run that is none.
 */
export function inspectorPage(
  runs: readonly InspectorSource[],
  { title = 'Context inspector' }: { title?: string | undefined } = {},
): string {
  if (!Array.isArray(runs)) {
    throw invalidInput(
      'runs',
      runs,
      'must be an array',
      'Give a list of runs, reports or recorded contexts.',
    );
  }
  const data = runs.map((run, index) => (typeof run === 'string' ? run : JSON.stringify(toRun(run, index))));
  return `${pageHead({ title, policy: inspectorPolicy, style })}
<!--
${notices}-->
<div id="context-shaping-inspector"></div>
<noscript>This page needs JavaScript. It loads nothing.</noscript>
<script type="application/json" id="context-shaping-data">{"version":1,"title":${inScript(JSON.stringify(title))},"runs":[${data.map(inScript).join(',')}]}</script>
<script>${program}</script>
</body>
</html>
`;
}

function toRun(given: unknown, index: number): InspectorRun & { name: string } {
  const run = asRun(given);
  const { report } = run;
  if (!isObject(report) || !Array.isArray(report.kept) || !Array.isArray(report.evicted)) {
    throw invalidInput(
      `runs[${index}]`,
      given,
      'has no report',
      'Give a run as { report }, a report, or a recorded context.',
    );
  }
  return { ...run, name: run.name ?? report.query } as InspectorRun & { name: string };
}

/** The fields that the page reads, and no others. */
function asRun(given: unknown): Record<string, unknown> {
  if (!isObject(given)) return {};
  if ('lockfileVersion' in given) return { lockfile: given, report: given.report };
  if (!('report' in given)) return { report: given };
  const { name, report, lockfile, origin } = given;
  return { name, report, lockfile, origin };
}

/** JSON has these characters only in its strings, where an escape means the same. */
const inScript = (json: string) =>
  json.replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
