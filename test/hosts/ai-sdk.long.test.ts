import { describe, expect, test } from 'vitest';
import { aiSdkHosts } from './ai-sdk-host.js';

describe.each(aiSdkHosts)('$name', (host) => {
  test.skipIf(host.missing)('try', async () => {
    const big = Array.from(
      { length: 40 },
      (_, n) =>
        `The bridge over river number ${n} was opened in ${1900 + n}, after long work by many people.`,
    ).join('\n\n');
    let turn = 0;
    const run = await host.run(
      {
        system: 'You help.',
        questions: ['When was the bridge over river number 7 opened?', 'And number 8?'],
        tools: [
          {
            name: 'search',
            description: 'Searches.',
            parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
            run: () => big,
          },
        ],
        reply: (request) => {
          const last = request.at(-1)!;
          if (last.role === 'user')
            return { calls: [{ id: `c${turn++}`, tool: 'search', input: { query: last.text } }] };
          return { text: 'In 1907.' };
        },
      },
      { maxTokens: 700, maxToolTokens: 200, handleKey: 'a secret of sixteen characters' },
    );
    console.log(JSON.stringify(run, null, 1).slice(0, 6000));
    expect(run.requests.length).toBe(4);
  });
});
