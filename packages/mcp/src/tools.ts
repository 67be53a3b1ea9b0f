/** The tools of a server, as its answers list them. */

import { isObject, type JsonObject } from 'context-shaping/kit';
import { RECALL_TOOL } from 'context-shaping-agents';

export class Tools {
  readonly #tools = new Map<string, JsonObject>();
  #isComplete = false;

  /** Whether every tool is known. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Whether the server has a tool with the name of ours. Then nothing is added or shaped. */
  get isTaken(): boolean {
    return this.#tools.has(RECALL_TOOL);
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
}

const toolsOf = ({ tools }: JsonObject): JsonObject[] =>
  (Array.isArray(tools) ? tools : []).filter((tool) => isObject(tool) && typeof tool.name === 'string');
