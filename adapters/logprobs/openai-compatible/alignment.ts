/**
 * Which tokens of an echoed text are the continuation: found from the end, by what the tokens add to the text.
 * What stands before the prompt (a token that begins every text), and tokens of the prompt that are parts of
 * characters, then do not matter.
 */
import type { TokenProbability } from '../../../src/index.js';

/** A token of an echoed text. Without a probability: nothing stands before it. */
export interface EchoedToken {
  text: string;
  id?: number;
  logprob: number | null;
}

/** One place of an echoed text. */
export interface Place {
  /** The token that stands here; several, where the service does not say which of them it is. */
  candidates: readonly EchoedToken[];
  /** The most probable ones, best first. Read only where they are wanted: prompts are long. */
  top: () => readonly TokenProbability[];
}

/** The token that stands at a place, with the most probable ones there. */
export interface Standing {
  token: EchoedToken;
  top: () => readonly TokenProbability[];
}

/** A way to read the end of a text as tokens. */
interface Path {
  /** The text is read from here on. */
  from: number;
  /** The tokens of the continuation, as far as they are read. */
  standing: readonly Standing[];
  /** Where the first of them begins, once the whole continuation is read. */
  begin: number | undefined;
  /** The continuation can be read in another way as well. */
  ambiguous: boolean;
}

/**
 * @param places of prompt and continuation, and of the tokens that were generated after them.
 * @param generated how many there are of those. A service may have done one more or one less than it was
 *   asked to: the other number is taken if the whole text can be read only then.
 * @returns the tokens of the continuation, one that begins in the prompt included; nothing, if they cannot be
 *   told by their texts.
 */
export function continuationByText(
  places: readonly Place[],
  generated: number,
  prompt: string,
  continuation: string,
): readonly Standing[] | undefined {
  const text = prompt + continuation;
  const read = (tail: number) => readFromEnd(places.slice(0, places.length - tail), text, prompt.length);
  const [expected, other] = [read(generated), read(1 - generated)];
  const best = expected.from > 0 && other.from === 0 ? other : expected;
  return best.begin === undefined || best.ambiguous ? undefined : best.standing;
}

/** The way that reads most of the text. */
function readFromEnd(places: readonly Place[], text: string, start: number): Path {
  let paths: readonly Path[] = [{ from: text.length, standing: [], begin: undefined, ambiguous: false }];
  for (const place of places.toReversed()) {
    const longer = new Map<number, Path>();
    for (const path of paths.flatMap((each) => extended(each, place, text, start))) {
      const known = longer.get(path.from);
      if (known === undefined) longer.set(path.from, path);
      else if (known.standing !== path.standing) known.ambiguous = true;
    }
    if (longer.size === 0) break;
    paths = [...longer.values()];
  }
  return paths.reduce((best, path) => (path.from < best.from ? path : best));
}

/** The path with each token more that the text allows. */
function extended(path: Path, { candidates, top }: Place, text: string, start: number): Path[] {
  const fitting = candidates.filter((token) =>
    // Nothing tells which of several tokens adds nothing.
    token.text === '' ? candidates.length === 1 : text.endsWith(token.text, path.from),
  );
  return fitting.map((token) => {
    const from = path.from - token.text.length;
    // A part of a character that adds nothing yet belongs to the token that completes it.
    const isPart = token.text === '' && token.logprob !== null && path.begin === path.from;
    if (path.begin !== undefined && !isPart) return { ...path, from };
    const standing = [{ token, top }, ...path.standing];
    return { ...path, from, standing, begin: from <= start ? from : undefined };
  });
}
