/**
 * Recorded answers of the SlimContext service. They are not part of this repository; name the folder that holds them:
 *
 *   CONTEXT_SHAPING_SLIMCONTEXT=FOLDER npx vitest run packages/server/test/workers/optimize-golden.test.ts
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOptimize } from '../../src/workers/optimize/optimize.js';

interface Golden {
  name: string;
  method: string;
  path: string;
  content_type: string;
  request: unknown;
  request_is_raw: boolean;
  response: { status: number; body: unknown };
}

interface Detail {
  loc: unknown[];
}

/** The cases in which this service differs on purpose. */
const OTHERWISE: Record<string, { status: number }> = {
  // One passage that only mentions a special token, or passages of stop words alone, cost no answer.
  err_special_token_text: { status: 200 },
  err_stopword_only_texts: { status: 200 },
  // Not a number is the caller's mistake, not the service's.
  err_nan_score: { status: 422 },
};
/** The recording service had no model. The one with 501 chunks holds a placeholder. */
const NOT_COMPARABLE = /^env_|^err_too_many_chunks$/;
const QUERY_MESSAGES = ['err_query_dim_mismatch', 'err_query_closest_no_query'];

const folder = process.env.CONTEXT_SHAPING_SLIMCONTEXT;
const goldens = folder
  ? readdirSync(folder)
      .sort()
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Golden)
      .filter(
        ({ name, method, path }) =>
          !NOT_COMPARABLE.test(name) && method === 'POST' && path === '/v1/optimize',
      )
  : [];

const optimize = await createOptimize({});
const ask = async ({ request, request_is_raw, content_type }: Golden) => {
  const body = new TextEncoder().encode(request_is_raw ? (request as string) : JSON.stringify(request));
  const done = await optimize({ body, isJson: content_type === 'application/json' });
  return {
    status: done.status,
    body: JSON.parse(done.body) as { detail: unknown; stats: { latency_ms?: number } },
  };
};

describe.skipIf(!folder)('answers what SlimContext answers', () => {
  it.each(goldens.map((golden) => [golden.name, golden] as const))('%s', async (name, golden) => {
    const { status, body } = await ask(golden);
    const expected = golden.response as { status: number; body: typeof body };
    if (name in OTHERWISE) return expect({ status }).toEqual(OTHERWISE[name]);
    expect(status).toBe(expected.status);
    if (status === 200) {
      delete body.stats.latency_ms;
      delete expected.body.stats.latency_ms;
      expect(body).toEqual(expected.body);
    } else if (status === 422) {
      const shape = (detail: unknown) => (detail as Detail[]).map(({ loc }) => loc);
      expect(shape(body.detail)).toEqual(shape(expected.body.detail));
    } else if (QUERY_MESSAGES.includes(name)) expect(body).toEqual(expected.body);
  });
});
