/** The tools of a server, as its answers list them, and the tool that this proxy adds. */

import { RECALL_TOOL } from 'context-shaping/conversation';
import { isObject, type JsonObject } from 'context-shaping/internal';

export class Tools {
  readonly #schemas = new Map<string, JsonObject | undefined>();
  #isComplete = false;

  /** Whether every tool is known. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Whether the server has a tool with the name of ours. Then nothing is added or shaped. */
  get isTaken(): boolean {
    return this.#schemas.has(RECALL_TOOL);
  }

  outputSchema(name: string): JsonObject | undefined {
    return this.#schemas.get(name);
  }

  /** Notes a page of the list. @returns whether it is the last. */
  note(page: JsonObject, isFirst: boolean): boolean {
    if (isFirst) this.#schemas.clear();
    for (const tool of Array.isArray(page.tools) ? page.tools : [])
      if (isObject(tool) && typeof tool.name === 'string')
        this.#schemas.set(tool.name, isObject(tool.outputSchema) ? tool.outputSchema : undefined);
    this.#isComplete = typeof page.nextCursor !== 'string';
    return this.#isComplete;
  }
}
