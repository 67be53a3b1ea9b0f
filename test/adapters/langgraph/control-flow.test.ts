/** Errors that no fallback may swallow: the caller's abort, and interrupts of functions that the graph calls. */
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { type CragGraphFields, createCragGraph } from 'context-shaping/langgraph';
import { describe, expect, test } from 'vitest';
import { answering, documents, fixedGrader, idsOf, query, web } from './support.js';

const input = { query, documents: documents(0.5) };
const crag = (fields: CragGraphFields = {}) => createCragGraph({ grader: fixedGrader(), ...fields });
const never = () => new Promise<never>(() => {});

describe('an abort', () => {
  const hanging: [string, (hang: () => Promise<never>) => CragGraphFields][] = [
    ['grade', (hang) => ({ grader: { name: 'hangs', grade: hang } })],
    [
      'grade, of the second',
      (hang) => ({ grader: answering((id) => (id === 'cats' ? { grade: 0.5 } : hang())) }),
    ],
    ['rewrite', (hang) => ({ rewrite: hang, webSearch: async () => [] })],
    ['search', (hang) => ({ webSearch: hang })],
  ];
  test.each(hanging)(
    'while waiting for a %s rejects at once, and the run can go on later',
    async (_, fields) => {
      const controller = new AbortController();
      let isUp = false;
      const reached: string[] = [];
      const hang = (async () => {
        if (isUp) throw new Error('up, but failing');
        setTimeout(() => controller.abort(new Error('called off')), 20);
        return never();
      }) as () => Promise<never>;
      const graph = crag({
        ...fields(hang),
        shaper: { onReport: () => void reached.push('shaped'), errorMessages: true },
        checkpointer: new MemorySaver(),
      });
      const config = { configurable: { thread_id: 'aborted' } };
      await expect(graph.invoke(input, { ...config, signal: controller.signal })).rejects.toThrow(
        /called off|Abort/,
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await graph.getState(config)).values).not.toHaveProperty('report');
      isUp = true;
      const { report } = await graph.invoke(null, config);
      expect(report.degradations).toMatchObject([{ message: expect.stringContaining('up, but failing') }]);
      expect(report.crag?.grades).toHaveLength(2);
      expect(idsOf(report.kept)).toContain('cats');
    },
  );

  test('before it begins: nothing is asked', async () => {
    const grader = fixedGrader();
    await expect(crag({ grader }).invoke(input, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(grader.graded).toEqual([]);
  });
});

test.each(['grader', 'rewrite', 'webSearch'])(
  'an interrupt of a %s surfaces, and is resumed',
  async (where) => {
    const ask = (): string => interrupt({ from: where });
    const fields: CragGraphFields =
      where === 'grader'
        ? { grader: answering((id) => ({ grade: 0.9, reason: id === 'cats' ? ask() : 'clear' })) }
        : where === 'rewrite'
          ? { rewrite: async () => ask(), webSearch: async () => [] }
          : { webSearch: async () => [{ ...web('found', 0.8), pageContent: ask() }] };
    const graph = crag({ ...fields, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: where } };
    const paused = await graph.invoke(input, config);
    expect(paused).toMatchObject({ __interrupt__: [{ value: { from: where } }] });
    const { report, context } = await graph.invoke(new Command({ resume: 'told by a person' }), config);
    expect(report.degradations).toEqual([]);
    expect(JSON.stringify([report.crag, context])).toContain('told by a person');
  },
);
