import { createShaper } from 'context-shaping';
import { type EvidenceMatchers, toKeepEvidence } from 'context-shaping-devtools/evaluate';
import { expect, test } from 'vitest';
import { bridgeCase } from './cases.js';

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: as Vitest declares it
  interface Matchers<T = any> extends EvidenceMatchers {}
}
expect.extend({ toKeepEvidence });

const { query, chunks } = bridgeCase(3);
const shape = (maxTokens: number) => createShaper({ budget: { maxTokens } }).shape({ query, chunks });

test('passes if every unit is kept, in each form', async () => {
  const result = await shape(400);
  expect(result).toKeepEvidence({ answers: ['1803', ['never', 'two lanes']] });
  expect(result).toKeepEvidence({ ids: ['answer'], passages: ['it carries two lanes.'] });
  expect(result.chunks).toKeepEvidence({ answers: ['1803'] });
  expect(result).not.toKeepEvidence({ answers: ['1999'] });
});

test('fails with the units that are lost, and what became of their chunks', async () => {
  const result = await shape(20);
  const lost = (evidence: Parameters<typeof toKeepEvidence>[1]) => toKeepEvidence(result, evidence).message();
  expect(() => expect(result).toKeepEvidence({ ids: ['other-3'] })).toThrow('loses 1 of 1 units');
  expect(lost({ ids: ['other-3'], answers: ['1803'] })).toMatch(
    /^The context loses 1 of 2 units of evidence\.\n- ids: "other-3": chunk "other-3" was evicted by \S+: \S+$/,
  );
  expect(lost({ answers: ['1999'] })).toContain('"1999": no chunk of the input holds it');
  const cut = await shape(8);
  const { pass, message } = toKeepEvidence(cut, { passages: ['Ferries went out of service then.'] });
  expect(pass).toBe(false);
  expect(message()).toContain('chunk "answer" is kept without it');
  expect(() => expect(result).not.toKeepEvidence({ answers: ['1803'] })).toThrow(
    'keeps all of this evidence',
  );
});

test('chunks without their result are judged by their own texts', async () => {
  const { chunks: kept } = await shape(20);
  expect(toKeepEvidence(kept, { ids: ['other-3'] }).message()).toContain('no chunk of the input holds it');
  expect(toKeepEvidence([], { answers: ['1803'] }).pass).toBe(false);
});

test.each([
  [undefined, { answers: ['a'] }, 'received'],
  [{ chunks: [{ id: 'a' }] }, { answers: ['a'] }, 'received'],
  [[{ id: 'a', text: 'b' }], {}, 'evidence'],
  [[{ id: 'a', text: 'b' }], { answer: ['a'] }, 'evidence.answer'],
])('%#: wrong values have a field', (received, evidence, field) => {
  expect(() => toKeepEvidence(received as never, evidence as never)).toThrow(
    expect.objectContaining({ kind: 'invalid-input', field }),
  );
});
