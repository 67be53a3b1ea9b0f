/** The tools of a server, as its answers list them, and the list that the client gets. */

import { isObject, type JsonObject } from 'context-shaping/kit';
import { RECALL_TOOL } from 'context-shaping-agents';
import { FIND_TOOL } from './tools-budget.js';

export class Tools {
  readonly #tools = new Map<string, JsonObject>();
  #isComplete = false;
  /** The tools that only {@link FIND_TOOL} shows. */
  hidden: readonly JsonObject[] = [];

  /** Whether every tool is known. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Whether the server has a tool with the name of ours. Then nothing is added or shaped. */
  get isTaken(): boolean {
    return this.#tools.has(RECALL_TOOL);
  }

  /** Whether this is the call of a tool that the proxy answers itself. */
  isOurs(name: unknown): boolean {
    return !this.isTaken && (name === RECALL_TOOL || (name === FIND_TOOL && this.hidden.length > 0));
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  outputSchema(name: string): JsonObject | undefined {
    const schema = this.#tools.get(name)?.outputSchema;
    return isObject(schema) ? schema : undefined;
  }

  /** Notes a page of the list. @returns whether it is the last. */
  note(page: JsonObject, isFirst: boolean): boolean {
    if (isFirst) this.#tools.clear();
    for (const tool of toolsOf(page)) this.#tools.set(tool.name as string, tool);
    this.#isComplete = typeof page.nextCursor !== 'string';
    return this.#isComplete;
  }

  /** All tools, in the order of the list. */
  all(): JsonObject[] {
    return [...this.#tools.values()];
  }
}

const toolsOf = ({ tools }: JsonObject): JsonObject[] =>
  (Array.isArray(tools) ? tools : []).filter((tool) => isObject(tool) && typeof tool.name === 'string');
