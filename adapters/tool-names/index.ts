/** Which tools a program shapes, by their names. Not an export. */

/** Names of tools; `*` stands for any characters. */
export interface ToolNames {
  /** The tools that are shaped. Default: all. */
  tools?: readonly string[] | undefined;
  /** The tools that are never shaped, also if `tools` has them. Default: none. */
  except?: readonly string[] | undefined;
}

/** A test whether a tool is shaped. Upper and lower case differ. */
export function toolTest({ tools = ['*'], except = [] }: ToolNames): (name: string) => boolean {
  const [wanted, unwanted] = [tools, except].map((names) => names.map(patternOf));
  const isOneOf = (patterns: readonly RegExp[] = [], name: string) =>
    patterns.some((pattern) => pattern.test(name));
  return (name) => isOneOf(wanted, name) && !isOneOf(unwanted, name);
}

const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .split('*')
      .map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );
