import type { ResolvedOptions, SanitiseMode } from '../input/options.js';
import { aroundText } from '../pool/candidate.js';
import type { TokenCounter } from '../ports.js';
import { previewOf } from '../text/hidden/preview.js';
import type { Candidate } from '../types.js';
import { frameText, passageCounter } from './render.js';
import { sanitise } from './sanitise.js';

/**
 * Candidates as the model will see them: sanitised and with their frame, as the options say. With the option `preview`,
 * they have the first characters of their text for the report.
 */
export function shown(
  candidates: readonly Candidate[],
  { sanitise: mode, frame, preview }: Pick<ResolvedOptions, 'sanitise' | 'frame' | 'preview'>,
): readonly Candidate[] {
  if (mode === false && frame === false && preview === false) return candidates;
  const renderOf = frame === false ? undefined : passageCounter(frame.spotlight, candidates.length);
  return candidates.map((candidate): Candidate => {
    const clean = mode === false ? candidate : sanitised(candidate, mode);
    const render = renderOf?.(candidate.sources[0]);
    return Object.freeze({
      ...clean,
      ...(render === undefined ? {} : { rendered: render(clean.text, undefined), render }),
      ...(preview === false ? {} : { preview: previewOf(clean.text, preview) }),
    });
  });
}

/** Tokens of the texts before and after the passages. */
export function frameTokens({ frame }: Pick<ResolvedOptions, 'frame'>, countTokens: TokenCounter): number {
  if (frame === false) return 0;
  return frameText(frame.spotlight).reduce((sum, each) => sum + countTokens(each), 0);
}

/** Counts passages as one block, less the texts around them. Undefined without a frame. */
export function blockCounter(
  options: Pick<ResolvedOptions, 'frame'>,
  countTokens: TokenCounter,
): ((passages: readonly string[]) => number) | undefined {
  if (options.frame === false) return undefined;
  const [open, close] = frameText(options.frame.spotlight) as [string, string];
  const around = frameTokens(options, countTokens);
  return (passages) => countTokens(open + passages.join('') + close) - around;
}

function sanitised(candidate: Candidate, mode: SanitiseMode): Candidate {
  const { text: original, rendered } = candidate;
  const { text, edits } = sanitise(original, mode);
  const around = aroundText(rendered, original);
  const clean = (part: string) => sanitise(part, mode).text;
  // First part by part, so that the text can be found in it; then as a whole, because parts may combine to a token.
  const parts = around && [
    clean(around.before),
    around.whole === original ? text : text.trim(),
    clean(around.after),
  ];
  return {
    ...candidate,
    text,
    rendered: clean(parts?.join('') ?? rendered),
    clean,
    ...(edits.length === 0 ? {} : { original, edits: Object.freeze(edits) }),
  };
}
