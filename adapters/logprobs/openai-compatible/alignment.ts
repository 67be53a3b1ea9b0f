/**
 * Finds the tokens of a continuation among the tokens of an echoed text. The search starts at the end and compares
 * the texts that the tokens add. So tokens before the prompt (the token that begins every text) and tokens of the
 * prompt that are parts of characters do not matter.
 */
import type { TokenProbability } from '../../../src/index.js';

/** A token of an echoed text. Its log-probability is null if no token comes before it. */
export interface EchoedToken {
  text: string;
  id?: number;
  logprob: number | null;
}

/** One token position of an echoed text. */
export interface EchoedPosition {
  /** The token at this position; several, if the service does not say which one it is. */
  candidates: readonly EchoedToken[];
  /** The most probable tokens, best first. A function, since prompts are long and few positions are read. */
  top: () => readonly TokenProbability[];
}

/** A token of the continuation, with the most probable tokens at its position. */
export interface AlignedToken {
  token: EchoedToken;
  top: () => readonly TokenProbability[];
}

/** A way to read the end of a text as tokens. */
interface Path {
  /** The text is read from this index to its end. */
  from: number;
  /** The tokens of the continuation that were read so far. */
  aligned: readonly AlignedToken[];
  /** The index at which the first token of the continuation begins, once the whole continuation is read. */
  begin: number | undefined;
  /** The continuation can also be read in another way. */
  ambiguous: boolean;
}

/**
 * @param positions of prompt, continuation, and the tokens that were generated after them.
 * @param generated the number of generated tokens, 0 or 1. A service may have generated the other number: that one is
 *   used if the whole text can be read only then.
 * @returns the tokens of the continuation, including one that begins in the prompt; nothing, if their texts do not
 *   identify them.
 */
export function continuationByText(
  positions: readonly EchoedPosition[],
  generated: number,
  prompt: string,
  continuation: string,
): readonly AlignedToken[] | undefined {
  const text = prompt + continuation;
  const read = (tail: number) =>
    readFromEnd(positions.slice(0, positions.length - tail), text, prompt.length);
  const [expected, other] = [read(generated), read(1 - generated)];
  const best = expected.from > 0 && other.from === 0 ? other : expected;
  return best.begin === undefined || best.ambiguous ? undefined : best.aligned;
}

/** The path that reads most of the text. */
function readFromEnd(positions: readonly EchoedPosition[], text: string, start: number): Path {
  let paths: readonly Path[] = [{ from: text.length, aligned: [], begin: undefined, ambiguous: false }];
  for (const position of positions.toReversed()) {
    const longer = new Map<number, Path>();
    for (const path of paths.flatMap((each) => extended(each, position, text, start))) {
      const known = longer.get(path.from);
      if (known === undefined) longer.set(path.from, path);
      else if (known.aligned !== path.aligned) known.ambiguous = true;
    }
    if (longer.size === 0) break;
    paths = [...longer.values()];
  }
  return paths.reduce((best, path) => (path.from < best.from ? path : best));
}

/** The path, extended by each candidate token that agrees with the text. */
function extended(path: Path, { candidates, top }: EchoedPosition, text: string, start: number): Path[] {
  const fitting = candidates.filter((token) =>
    // If there are several candidates, one without text cannot be distinguished from the others.
    token.text === '' ? candidates.length === 1 : text.endsWith(token.text, path.from),
  );
  return fitting.map((token) => {
    const from = path.from - token.text.length;
    // A token that adds no text yet is a part of a character. It belongs to the token that completes the character.
    const isPart = token.text === '' && token.logprob !== null && path.begin === path.from;
    if (path.begin !== undefined && !isPart) return { ...path, from };
    const aligned = [{ token, top }, ...path.aligned];
    return { ...path, from, aligned, begin: from <= start ? from : undefined };
  });
}
