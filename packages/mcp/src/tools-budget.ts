/** A list of tools that fits a budget: shorter descriptions first, then tools behind `find_tools`. */
import { createShaper, type TokenCounter } from 'context-shaping';
import { isObject, type JsonObject, unitsOf } from 'context-shaping/kit';

/** Name of the tool that finds and calls the tools that a list leaves out. */
export const FIND_TOOL = 'find_tools';

/** Most definitions in an answer of {@link FIND_TOOL}. */
const MOST_FOUND = 5;

export interface ListedTools {
  /** The list for the client. */
  tools: JsonObject[];
  /** The tools that the list leaves out, as the server has them. */
  hidden: JsonObject[];
}

/**
 * The tools as they are if they fit. If not, descriptions are cut to their first sentence; then those in schemas are; then
 * tools go behind {@link FIND_TOOL} which do not fit: the first ones of the list stay. Names, and schemas but for
 * descriptions, stay as they are.
 *
 * @param given the tools of the server.
 * @param own our tools, which stay.
 * @param most tokens of the names, descriptions and schemas of the arguments, as JSON.
 */
export function listWithin(
  given: readonly JsonObject[],
  own: readonly JsonObject[],
  most: number,
  count: TokenCounter,
): ListedTools {
  const tokensOf = ({ name, description, inputSchema }: JsonObject) =>
    count(JSON.stringify({ name, description, inputSchema }));
  const fits = (tools: readonly JsonObject[]) => tools.reduce((sum, tool) => sum + tokensOf(tool), 0) <= most;
  const shortened = given.map((tool) => withShort(tool));
  const plain = shortened.map((tool) => ({ ...tool, inputSchema: shortSchema(tool.inputSchema) }));
  for (const tools of [given, shortened, plain])
    if (fits([...tools, ...own]) || (tools === plain && given.some(({ name }) => name === FIND_TOOL)))
      return { tools: [...tools, ...own], hidden: [] };

  let left = most - [...own, findTool(given)].reduce((sum, tool) => sum + tokensOf(tool), 0);
  const stays = plain.map((tool) => {
    const tokens = tokensOf(tool);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  const hidden = given.filter((_, at) => !stays[at]);
  return { tools: [...plain.filter((_, at) => stays[at]), findTool(hidden), ...own], hidden };
}

/** The hints say what a call can do, because it may be a call of any of these tools. */
const findTool = (hidden: readonly JsonObject[]): JsonObject => ({
  name: FIND_TOOL,
  title: 'Find and call further tools',
  description: `Finds ${hidden.length} further tools of this server, and calls them. First give query: it returns definitions. Then give name and arguments.`,
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'The purpose of the tool.' },
      name: { type: 'string', description: 'The name of the tool to call.' },
      arguments: { type: 'object', description: 'Its arguments.' },
    },
  },
  annotations: {
    readOnlyHint: hidden.every((tool) => hintOf(tool, 'readOnlyHint') === true),
    destructiveHint: hidden.some((tool) => hintOf(tool, 'destructiveHint') !== false),
    idempotentHint: hidden.every((tool) => hintOf(tool, 'idempotentHint') === true),
    openWorldHint: hidden.some((tool) => hintOf(tool, 'openWorldHint') !== false),
  },
});

const hintOf = ({ annotations }: JsonObject, hint: string): unknown =>
  isObject(annotations) ? annotations[hint] : undefined;

const withShort = (tool: JsonObject): JsonObject =>
  typeof tool.description === 'string' ? { ...tool, description: firstSentence(tool.description) } : tool;

function firstSentence(text: string): string {
  const [first] = unitsOf(text);
  return first === undefined ? text : text.slice(first.start, first.end).trim();
}

/** Keywords of JSON Schema whose value is a schema, a list of schemas, or schemas by name. */
const SCHEMAS =
  /^(?:items|additionalItems|additionalProperties|unevaluatedItems|unevaluatedProperties|contains|propertyNames|not|if|then|else|contentSchema)$/;
const LISTS = /^(?:allOf|anyOf|oneOf|prefixItems|items)$/;
const NAMED = /^(?:properties|patternProperties|dependentSchemas|\$defs|definitions)$/;

/** A schema with short descriptions, which admits the same values. */
function shortSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(withShort(schema)).map(([key, value]) => {
    if (LISTS.test(key) && Array.isArray(value)) return [key, value.map(shortSchema)];
    if (SCHEMAS.test(key)) return [key, shortSchema(value)];
    if (NAMED.test(key) && isObject(value))
      return [
        key,
        Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortSchema(each)])),
      ];
    return [key, value];
  });
  return Object.fromEntries(entries);
}

/**
 * The hidden tools that a query asks for, the best first, as JSON; without a query the names of all.
 *
 * @param asked the arguments of a call of {@link FIND_TOOL}.
 * @throws Error if they name a tool: it is none of the server.
 */
export async function found(
  hidden: readonly JsonObject[],
  asked: unknown,
  signal: AbortSignal,
): Promise<string> {
  const { query, name: unknown } = isObject(asked) ? asked : {};
  if (typeof unknown === 'string') throw new Error(`The server has no tool named ${unknown}.`);
  if (typeof query !== 'string' || query.trim() === '') {
    const lines = hidden.map((tool) => `${tool.name}: ${withShort(tool).description ?? ''}`);
    return [...lines, 'Give query for definitions.'].join('\n');
  }
  // Similar tools are no copies of each other, and their descriptions are full of instructions.
  const shaper = createShaper({
    k: MOST_FOUND,
    ranked: false,
    flag: false,
    exactDedup: false,
    semanticDedup: false,
    cluster: false,
    extract: false,
    order: 'relevance',
  });
  const chunks = hidden.map(({ name, description, inputSchema }, at) => ({
    id: String(at),
    text: `${wordsOf(String(name))}. ${description ?? ''} ${JSON.stringify(inputSchema)}`,
  }));
  const { chunks: best } = await shaper.shape({ query, chunks, signal });
  return best
    .map(({ index }) => hidden[index] as JsonObject)
    .map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }))
    .join('\n');
}

const wordsOf = (name: string): string =>
  name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ');
