/** Calls of tools as hosts see them: which are shaped, and which read a file rather than answer a question. Not an export. */

/** Names of tools; `*` stands for any characters. */
export interface ToolNames {
  /** The tools that are shaped. Default: all. */
  tools?: readonly string[] | undefined;
  /** The tools that are never shaped, also if `tools` has them. Default: none. */
  except?: readonly string[] | undefined;
}

/** A test whether a tool is shaped. Upper and lower case differ. */
export function toolTest({ tools = ['*'], except = [] }: ToolNames): (name: string) => boolean {
  const isIn = (names: readonly string[]) => {
    const patterns = names.map(patternOf);
    return (name: string) => patterns.some((pattern) => pattern.test(name));
  };
  const [isWanted, isUnwanted] = [isIn(tools), isIn(except)];
  return (name) => isWanted(name) && !isUnwanted(name);
}

const patternOf = (name: string): RegExp =>
  new RegExp(`^${name.replace(/[$()+.?[\\\]^{|}]/g, '\\$&').replaceAll('*', '.*')}$`, 's');

const PLACES = /^(?:path|file|filename|uri|url|dir|directory|folder)s?$/;
const QUESTIONS =
  /^(?:query|question|q|search|pattern|regex|regexp|keyword|term|text|prompt|topic|filter|find|instruction|goal)s?$/;

/**
 * Whether a call reads a place, such as a file or a page, and asks nothing: an argument has the name of a place, and none
 * has that of a question. The words of a path say little about what its file is read for.
 */
export function isRead(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false;
  const named = Object.entries(input)
    .filter(([, value]) => [value].flat().some((each) => typeof each === 'string' && each.trim() !== ''))
    .map(([name]) =>
      name
        .replace(/([a-z])([A-Z])/g, '$1_$2')
        .toLowerCase()
        .split(/[^a-z]+/),
    );
  return (
    named.some((words) => PLACES.test(words.at(-1) ?? '')) &&
    !named.some((words) => words.some((word) => QUESTIONS.test(word)))
  );
}
