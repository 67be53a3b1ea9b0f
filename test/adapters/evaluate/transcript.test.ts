/** Transcripts as hosts store them: the question, the passages, and what the answer cites. */
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ContextShapingError } from 'context-shaping';
import { evaluate, formatEvaluation, transcriptCase } from 'context-shaping/evaluate';
import { describe, expect, test } from 'vitest';

const BRIDGE = 'The bridge opened in 1932. It has eight lanes.';
const FERRY = 'The last ferry crossed in 1934.';
const CATS = 'Cats sleep all day.';
const QUESTION = 'When did the bridge open?';
const user = { role: 'user', content: QUESTION };
const says = (content: unknown, more = {}) => ({ role: 'assistant', content, ...more });
const chunks = [CATS, BRIDGE, { id: 'ferry', text: FERRY, metadata: { source: 'ferries.md' } }];
const cited = (content: unknown, more = {}) =>
  transcriptCase({ messages: [user, says(content, more)], chunks })?.evidence;

describe('what an answer cites', () => {
  test.each([
    ['It opened in 1932 [2].', ['2']],
    ['It opened in 1932[2], and ferries ended in 1934 [ferry].', ['2', 'ferry']],
    ['Both [2, 3].', ['2', 'ferry']],
    ['Both [2][3], and again [2].', ['2', 'ferry']],
    ['All [1-3].', ['1', '2', 'ferry']],
    ['It opened in 1932 【2】.', ['2']],
    ['Ferries ended [^3].', ['ferry']],
    ['Ferries ended [ferries.md].', ['ferry']],
    ['Of no chunk [9], and of one [1].', ['1']],
  ])('%j', (text, ids) => expect(cited(text)).toEqual({ ids }));

  test.each([
    'It opened in 1932.',
    'Of no chunk [9], [x] and [3-9999999].',
    'In code `list[1]` and\n```\nlist[2]\n```\n',
    '',
  ])('%j cites nothing', (text) => expect(cited(text)).toBeUndefined());

  test('of providers: cited texts, ids, places, sources', () => {
    const anthropic = (citation: object) => cited([{ type: 'text', text: '1932.', citations: [citation] }]);
    const quote = { type: 'char_location', cited_text: 'The bridge\nopened in 1932.', document_index: 0 };
    expect(anthropic(quote)).toEqual({ passages: ['The bridge\nopened in 1932.'] });
    // A text that no chunk has: its place counts, from 0.
    expect(anthropic({ ...quote, cited_text: 'It opened.', document_index: 1 })).toEqual({ ids: ['2'] });
    expect(anthropic({ type: 'search_result_location', source: 'ferries.md' })).toEqual({ ids: ['ferry'] });
    const file = { type: 'file_citation', file_id: 'ferry', filename: 'x', index: 3 };
    expect(cited([{ type: 'output_text', text: '1934.', annotations: [file] }])).toEqual({ ids: ['ferry'] });
    expect(cited('1934.', { annotations: [{ url_citation: { url: 'ferry' } }] })).toEqual({ ids: ['ferry'] });
    const ofLangChain = { type: 'citation', citedText: 'eight lanes' };
    expect(cited([{ type: 'text', text: '8', annotations: [ofLangChain] }])).toEqual({
      passages: ['eight lanes'],
    });
    const source = { type: 'source', sourceType: 'document', id: 's1', title: 'ferry' };
    expect(cited([{ type: 'text', text: '1934.' }, source])).toEqual({ ids: ['ferry'] });
    expect(cited('1932.', { citations: [2, 'ferry', null, {}] })).toEqual({ ids: ['2', 'ferry'] });
  });
});

const passages = [
  { id: 'c', text: CATS, score: 0.9 },
  { id: 'b', text: BRIDGE, score: 0.8 },
];
const json = JSON.stringify(passages);
const documents = passages.map(({ id, text }) => ({ id, pageContent: text, metadata: { page: 1 } }));
const call = new AIMessage({ content: '', tool_calls: [{ id: 't', name: 'search', args: {} }] });
const ofLangChain = [
  new HumanMessage(QUESTION),
  call,
  new ToolMessage({ content: `[1] ${CATS}\n[2] ${BRIDGE}`, artifact: documents, tool_call_id: 't' }),
  new AIMessage('It opened in 1932 [2].'),
];
const bridge = { id: 'b', text: BRIDGE };

describe('the passages of the messages of', () => {
  test.each([
    [
      'chat completions of OpenAI',
      [user, says(null, { tool_calls: [] }), { role: 'tool', content: json }, says('1932 [2].')],
      bridge,
    ],
    [
      'a tool that numbers its passages',
      [user, { role: 'tool', content: `[1] ${CATS}\n\n[2] ${BRIDGE}` }, says('1932 [2].')],
      { id: '2', text: BRIDGE },
    ],
    [
      'responses of OpenAI',
      [
        { type: 'message', ...user },
        {
          type: 'file_search_call',
          results: passages.map(({ id, text }) => ({ file_id: id, filename: `${id}.md`, text })),
        },
        {
          ...{ type: 'message', role: 'assistant' },
          content: [
            { type: 'output_text', text: '1932.', annotations: [{ file_id: 'x', filename: 'b.md' }] },
          ],
        },
      ],
      bridge,
    ],
    [
      'Anthropic: results of a search in a result of a tool',
      [
        user,
        says([{ type: 'tool_use', id: 't', name: 'search', input: {} }]),
        {
          role: 'user',
          content: [
            {
              ...{ type: 'tool_result', tool_use_id: 't' },
              content: passages.map(({ id, text }) => ({
                ...{ type: 'search_result', source: id, title: id },
                content: [{ type: 'text', text }],
              })),
            },
          ],
        },
        says([{ type: 'text', text: '1932.', citations: [{ search_result_index: 1 }] }]),
      ],
      bridge,
    ],
    [
      'Anthropic: documents beside the question',
      [
        {
          role: 'user',
          content: [
            ...passages.map(({ id, text }) => ({
              ...{ type: 'document', title: id },
              source: { type: 'text', media_type: 'text/plain', data: text },
            })),
            { type: 'text', text: QUESTION },
          ],
        },
        says([{ type: 'text', text: '1932.', citations: [{ document_index: 1 }] }]),
      ],
      bridge,
    ],
    [
      'the AI SDK: model messages',
      [
        user,
        says([{ type: 'tool-call', toolCallId: 't', toolName: 'search', input: {} }]),
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 't', output: { type: 'json', value: passages } }],
        },
        says([{ type: 'text', text: '1932 [b].' }]),
      ],
      bridge,
    ],
    [
      'the AI SDK: UI messages',
      [
        { id: 'm1', role: 'user', parts: [{ type: 'text', text: QUESTION }] },
        {
          ...{ id: 'm2', role: 'assistant' },
          parts: [
            { type: 'step-start' },
            { type: 'tool-search', state: 'output-available', output: { results: passages } },
            { type: 'text', text: '1932 [2].' },
          ],
        },
      ],
      bridge,
    ],
    ['LangChain', ofLangChain, bridge],
    ['LangChain, as JSON', JSON.parse(JSON.stringify(ofLangChain)), bridge],
    ['LangChain, as stored', ofLangChain.map((message) => message.toDict()), bridge],
    [
      'LlamaIndex: nodes with scores',
      [
        user,
        {
          role: 'tool',
          content: {
            sourceNodes: passages.map(({ id, text, score }) => ({ node: { id_: id, text }, score })),
          },
        },
        says('1932 [2].'),
      ],
      bridge,
    ],
  ])('%s', (_, messages, expected) => {
    const copy = structuredClone(JSON.parse(JSON.stringify(messages)));
    const found = transcriptCase({ messages });
    expect(found?.chunks.map(({ text }) => text)).toEqual([CATS, BRIDGE]);
    expect(found?.chunks[1]).toMatchObject(expected);
    expect(found).toMatchObject({ query: { text: QUESTION }, evidence: { ids: [expected.id] } });
    expect(JSON.parse(JSON.stringify(messages))).toEqual(copy);
  });
});

test('the last question counts, and the turns before it are its history', () => {
  const earlier = [
    { role: 'user', content: 'What is old?' },
    { role: 'tool', content: FERRY },
    says('It [1].'),
  ];
  const found = transcriptCase({
    messages: [
      { role: 'system', content: 'Cite.' },
      ...earlier,
      user,
      { role: 'tool', content: BRIDGE },
      says('[1]'),
    ],
    id: 7,
    group: 'talk',
  });
  expect(found).toEqual({
    ...{ id: 7, group: 'talk', labels: 'citations', evidence: { ids: ['1'] } },
    query: {
      text: QUESTION,
      history: [
        { role: 'user', text: 'What is old?' },
        { role: 'assistant', text: 'It [1].' },
      ],
    },
    chunks: [{ id: '1', text: BRIDGE }],
  });
  expect(transcriptCase({ messages: [user, says('[1]')], query: 'In what year?', chunks })?.query).toEqual({
    text: 'In what year?',
  });
});

test('passages with one id get ids of their own, and a citation names all of them', () => {
  const results = [CATS, BRIDGE].map((text) => ({ file_id: 'manual', text }));
  const messages = [
    user,
    { type: 'file_search_call', results },
    says('See', { annotations: [{ file_id: 'manual' }] }),
  ];
  const found = transcriptCase({ messages });
  expect(found?.chunks.map(({ id }) => id)).toEqual(['manual', 'manual#2']);
  expect(found?.evidence).toEqual({ ids: ['manual', 'manual#2'] });
});

test.each([
  ['no answer', [user]],
  ['no question', [says('1932 [1].')]],
  ['no passages', [user, says('1932 [1].')]],
  [
    'passages of an earlier question',
    [user, { role: 'tool', content: BRIDGE }, says('1932'), user, says('1932 [1].')],
  ],
  ['an answer before the question', [says('1932 [1].'), user, { role: 'tool', content: BRIDGE }]],
])('%s: no case', (_, messages) => expect(transcriptCase({ messages })).toBeUndefined());

test.each([
  [{ messages: 'x' }, 'transcript.messages', 'must be an array of messages'],
  [{ messages: [] }, 'transcript.messages', 'must be an array of messages'],
  [{ messages: [user, 'x'] }, 'transcript.messages[1]', 'must be an object'],
  [{ messages: [{ role: 'bot', content: 'x' }] }, 'transcript.messages[0].role', 'is no role of a message'],
  [{ messages: [{ content: 'x' }] }, 'transcript.messages[0].role', 'is no role of a message'],
  [{ messages: [user, says('[1]')], chunks: [5] }, 'transcript.chunks[0]', 'must be a string or an object'],
  [
    { messages: [user, says('[1]')], chunks, evidence: {} },
    'transcript.evidence',
    'comes from the citations',
  ],
])('%j is refused', (transcript, field, problem) => {
  try {
    transcriptCase(transcript as never);
  } catch (error) {
    expect(ContextShapingError.isInstance(error) && error).toMatchObject({ kind: 'invalid-input', field });
    expect((error as ContextShapingError).problem).toContain(problem);
    return;
  }
  expect.unreachable('must be refused');
});

test('a deep result of a tool is no passage, and ends nothing', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(transcriptCase({ messages: [user, { role: 'tool', content: deep }, says('[1]')] })).toBeUndefined();
});

test('the result says that the labels are weak', async () => {
  const one = transcriptCase({ messages: [user, says('1932 [2].')], chunks });
  const result = await evaluate({
    cases: [one, { query: QUESTION, chunks, evidence: { answers: ['1932'] } }],
  });
  expect(result.cases).toMatchObject({ all: 2, cited: 1 });
  expect(formatEvaluation(result)).toContain(
    'Weak labels: the evidence of 1 of the 2 cases is what an answer cites.',
  );
  const strong = await evaluate({ cases: [{ query: QUESTION, chunks, evidence: { answers: ['1932'] } }] });
  expect(strong.cases.cited).toBeUndefined();
  expect(formatEvaluation(strong)).not.toContain('Weak labels');
});
