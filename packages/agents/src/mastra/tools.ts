/** The tools of a step, by name, as a processor gets them: `parameters` has a JSON schema, in some versions a promise of it. */
export type ToolsLike = Record<string, unknown>;

/** The tools as the provider gets them, without `$schema`: only some hosts add it, and the same tools count the same in all. */
export async function schemasOf(
  tools: ToolsLike,
  activeTools: readonly string[],
): Promise<{ type: 'function'; name: string; description?: string | undefined; inputSchema: unknown }[]> {
  const active = Object.entries(tools).filter(([name]) => activeTools.includes(name));
  return Promise.all(
    active.map(async ([name, tool]) => {
      const { description, parameters, args } = tool as {
        description?: string;
        parameters?: { jsonSchema?: object | PromiseLike<object> };
        args?: object;
      };
      const { $schema: _, ...inputSchema } = ((await parameters?.jsonSchema) ?? args ?? {}) as {
        $schema?: unknown;
      };
      return { type: 'function' as const, name, description, inputSchema };
    }),
  );
}

/** Whether the tool itself says what the model gets of its results. */
export const hasView = (tool: unknown) =>
  typeof (tool as { toModelOutput?: unknown } | undefined)?.toModelOutput === 'function';
