/**
 * The entry for the registry of MCP servers. The rules are those of its schema of 2025-12-11, and of its check of npm
 * packages: https://github.com/modelcontextprotocol/registry (docs/reference/server-json).
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { makeProgram } from '../src/program.js';

const read = (file: string) => JSON.parse(readFileSync(`packages/mcp/${file}`, 'utf8'));
const version = z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/);

const serverSchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(
        z.strictObject({ type: z.literal('named'), name: z.string().startsWith('--') }),
      ),
    }),
  ]),
});

test('server.json is valid, and names the published package', () => {
  const server = serverSchema.parse(read('server.json'));
  const { name, version, mcpName } = read('package.json');
  expect(server.name).toBe(mcpName);
  expect(server.version).toBe(version);
  expect(server.packages[0]).toMatchObject({ identifier: name, version });
});

test('its arguments are options of the command', () => {
  const { stdin, stdout, stderr, env } = process;
  const io = { stdin, stdout, stderr, env, signal: new AbortController().signal };
  const options = makeProgram(io).options.map(({ long }) => long);
  for (const { name } of serverSchema.parse(read('server.json')).packages[0].packageArguments)
    expect(options).toContain(name);
});
