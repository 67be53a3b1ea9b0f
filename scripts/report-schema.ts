/**
 * The report as a schema, from which its published JSON Schema is generated. Not part of the bundle, because a schema that is
 * loaded at run time would make every page larger. So it repeats the types of the report; a test checks that both agree.
 */
import * as z from 'zod';
import { CAUSES, type Cause } from '../adapters/explain/index.js';
import { LINKAGES, METHODS } from '../src/input/options.js';
import { HIDDEN_CLASSES, OWN_FLAG_KINDS } from '../src/types.js';

const place = () => z.int().min(0).describe('Place in the input, from 0.');
const tokens = () => z.int().min(0).describe('Under the declared counter.');
const share = () => z.number().min(0).max(1);
const usage = (requests: string) =>
  z.strictObject({
    requests: z.int().min(0).describe(requests),
    tokens: z.int().min(0).optional().describe('That the model read, if it reports them.'),
    cachedTokens: z.int().min(0).optional().describe('Those of them that its cache had.'),
  });
const distance = () => z.number().min(0).max(2);
const id = (description: string) => z.string().describe(description);
const preview = () =>
  z
    .string()
    .max(500)
    .optional()
    .describe('The first characters of its whole text, on one line, if the option `preview` is on.');
const position = () => z.number().optional().describe('Place within its document.');

const source = z.strictObject({
  id: id('The id of the chunk, or of the copy.'),
  source: z.string().optional().describe('Its document, by `fields.source`.'),
  position: position(),
  title: z.string().optional().describe('By `fields.title`.'),
  speaker: z.string().optional().describe('By `fields.speaker`.'),
  date: z.string().optional().describe('By `fields.date`.'),
});

const features = () =>
  z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'The share of each feature in the log-odds of relevance; the sum is the log-odds. `base` is what every chunk starts with, `place` what the order of the list adds or takes.',
    );

const kept = z.strictObject({
  id: id('The id of the chunk.'),
  index: place(),
  score: z.number().optional().describe('The retriever’s own.'),
  pinned: z.literal(true).optional().describe('The option `pin` names it, or a copy of it.'),
  tier: z
    .int()
    .min(0)
    .optional()
    .describe('Place of its tier in the option `trust`, 0 the most trusted; absent without tiers.'),
  tokens: tokens(),
  entropy: z
    .strictObject({
      character: z.number().min(0).describe('Bits per character.'),
      token: z.number().min(0).describe('Bits per word.'),
      blend: share().describe('Both, in 0..1.'),
    })
    .optional()
    .describe('Bits per character and per word, and their blend in 0..1.'),
  relevance: share().optional().describe('Within this pool.'),
  features: features(),
  utility: z
    .number()
    .optional()
    .describe('Its contribution to the model’s belief in the answer, in nats; below 0 it misleads.'),
  jointUtility: z.number().optional().describe('The same given those that were found better.'),
  support: z.int().min(0).optional().describe('Place of its group in `support`.'),
  cluster: z.int().min(0).optional().describe('Number of its group, if `cluster` acted.'),
  rank: z.int().min(0).optional().describe('Place in the order of selection, from 0.'),
  sources: z.array(source).min(1).describe('Its own first, then those it inherited from copies that went.'),
  excerpts: z
    .array(
      z.strictObject({
        start: z.int().min(0).describe('Offset of its beginning.'),
        end: z.int().min(0).describe('Offset of its end, exclusive.'),
      }),
    )
    .optional()
    .describe('Parts of the original text that are handed on, where it was cut; UTF-16 offsets.'),
  sanitised: z.literal(true).optional().describe('The option `sanitise` changed its text.'),
  superseded: z
    .strictObject({
      by: id('The preferred chunk.'),
      because: z.string().describe('Why it is preferred.'),
      source: z.string().optional().describe('That of the preferred chunk, or of a copy of it.'),
      title: z.string().optional().describe('The same.'),
      date: z.string().optional().describe('The same.'),
      version: z.string().optional().describe('The same.'),
    })
    .optional()
    .describe('The option `conflicts.prefer` prefers another side of a conflict.'),
  preview: preview(),
});

const conflictSide = z.strictObject({
  ids: z.array(z.string()).min(1).describe('Chunks that say the same, in input order.'),
  indices: z.array(place()).min(1).describe('Their places in the input, from 0.'),
  says: z
    .string()
    .optional()
    .describe('The differing words of the first of them, if the option `preview` is on.'),
  excerpt: z.string().optional().describe('Its statement, cut, if the option `preview` is on.'),
  source: z.string().optional().describe('The document of the first, by `fields.source`.'),
  title: z.string().optional().describe('By `fields.title`.'),
  date: z.string().optional().describe('By `fields.date`.'),
  version: z.string().optional().describe('The version of the document.'),
  tier: z.int().min(0).optional().describe('Place of its tier in the option `trust`.'),
  support: z.int().min(1).describe('How many different documents say it.'),
});

/** The list of causes has the meaning of each reason. */
const evicted = <R extends Cause, T extends z.ZodRawShape>(reason: R, evidence: T) =>
  z.strictObject({
    id: id('The id of the chunk.'),
    index: place(),
    stage: z.string().describe('The stage that evicted it.'),
    tokens: tokens(),
    source: z.string().optional().describe('Its document.'),
    position: position(),
    relevance: share().optional().describe('Within this pool, where it was measured.'),
    features: features(),
    utility: z.number().optional().describe('In nats, where it was measured.'),
    preview: preview(),
    reason: z.literal(reason).describe(CAUSES[reason].meaning),
    ...evidence,
  });

const flag = <K extends string, T extends z.ZodRawShape>(kind: K, meaning: string, evidence: T) =>
  z.strictObject({ kind: z.literal(kind).describe(meaning), ...evidence });

const keptId = () => id('The chunk that stayed for it.');

const reasons = () => z.array(z.enum(['ambiguous', 'incorrect', 'conflict']));

const crag = z
  .strictObject({
    verdict: z
      .enum(['correct', 'ambiguous', 'incorrect', 'approved', 'answered', 'refused'])
      .describe('The verdict on the last grades; after a review, that of the person.'),
    outcome: z.enum(['context', 'answered', 'refused']).describe('The context, a person’s answer, or none.'),
    answer: z.string().optional().describe('A person’s.'),
    path: z.array(z.string()).describe('The steps, in their order.'),
    grader: z.string().describe('Its name.'),
    thresholds: z
      .strictObject({
        lower: share().describe('Chunks below it were evicted.'),
        upper: share().describe('A chunk that reaches it makes the context correct.'),
      })
      .describe('Bounds of grades.'),
    grades: z
      .array(
        z.strictObject({
          id: id('The id of the chunk.'),
          index: place(),
          grade: share().describe('How probably it answers.'),
          reason: z.string().optional().describe('The grader’s.'),
          by: z
            .string()
            .optional()
            .describe('The substitute for the grader: `relevance` if the grader failed.'),
        }),
      )
      .describe('One of each graded chunk.'),
    searches: z
      .array(
        z.strictObject({
          query: z.string().describe('The words searched for.'),
          found: z.int().min(0).describe('Documents that were not known before.'),
          failure: z.string().optional().describe('Why it failed.'),
        }),
      )
      .describe('In their order.'),
    reviews: z
      .array(
        z.strictObject({
          reasons: reasons().describe('Why the person was asked.'),
          action: z.enum(['approve', 'answer', 'refuse']).describe('The answer.'),
          by: z.string().optional().describe('The person.'),
          note: z.string().optional().describe('The person’s.'),
          search: z.string().optional().describe('Words to search for.'),
          keep: z.array(z.string()).optional().describe('The only ids that were kept.'),
        }),
      )
      .describe('In their order.'),
  })
  .optional()
  .describe('The facts about corrective retrieval; absent without it.');

export const reportSchema = z
  .strictObject({
    version: z.literal(2).describe('The version of the form of reports.'),
    query: z.string().describe('The question.'),
    options: z
      .record(z.string(), z.unknown())
      .describe(
        'Resolved; services as "provider/modelId"; those without a name, and functions, as "custom".',
      ),
    input: z.array(z.string()).describe('Ids in input order.'),
    kept: z.array(kept).describe('In the order of the result.'),
    evicted: z
      .array(
        z.discriminatedUnion('reason', [
          evicted('flagged', {
            kinds: z.array(z.enum(OWN_FLAG_KINDS)).min(1).describe('The kinds of these flags.'),
          }),
          evicted('low-entropy', {
            entropy: share().describe('Its blended entropy.'),
            minEntropy: share().describe('The option.'),
          }),
          evicted('exact-duplicate', {
            keptId: keptId(),
          }),
          evicted('semantic-duplicate', {
            keptId: keptId(),
            distance: distance().describe('From that chunk.'),
            maxDistance: distance().describe('The option `semanticDedup.maxDistance`.'),
            measure: z
              .enum(['cosine', 'lexical'])
              .describe('The distance: `cosine` of vectors, or `lexical` of words.'),
          }),
          evicted('superseded', {
            by: id('The preferred chunk.'),
            because: z.string().describe('Why it is preferred: `newest by metadata.date`.'),
          }),
          evicted('cluster-member', {
            keptId: keptId(),
            cluster: z.int().min(0).describe('Number of the group.'),
            distance: distance().describe('From that chunk.'),
            maxDistance: z
              .number()
              .min(0)
              .describe(`Height of the cut, by the linkage: ${LINKAGES.join(', ')}.`),
          }),
          evicted('low-utility', {
            minUtility: z.number().describe('The option `ecs.minUtility`, in nats.'),
          }),
          evicted('below-floor', {
            floor: share().describe('The relevance that it needed.'),
            margin: share().describe('How much it lacked.'),
          }),
          evicted('low-grade', {
            grade: share().describe('Its grade.'),
            minGrade: share().describe('The lower threshold.'),
          }),
          evicted('vetoed', {
            by: z.string().optional().describe('The reviewer.'),
            note: z.string().optional().describe('The reviewer’s note.'),
          }),
          evicted('outranked', {
            k: z.int().min(1).describe('The option.'),
            margin: z.number().min(0).describe('How much it lacked to the last of them.'),
          }),
          evicted('over-budget', {
            limit: z
              .enum(['maxTokens', 'perSource', 'chunksPerSource', 'trust'])
              .describe('The limit that left no room.'),
            lastKept: z
              .strictObject({
                id: id('The chunk.'),
                relevance: share().describe('Its relevance; in the stage `extract`, that of its sentence.'),
              })
              .optional()
              .describe(
                'The least relevant chunk that was kept for its relevance; in the stage `extract`, the chunk of the least relevant sentence; for `perSource` and `trust`, of the same source or tier.',
              ),
            margin: z
              .number()
              .min(-1)
              .max(1)
              .optional()
              .describe(
                'How far it, or in the stage `extract` its best sentence, is below `lastKept`; 0 or less: it did not fit into the room left.',
              ),
          }),
          evicted('custom', {
            evidence: z
              .record(z.string(), z.unknown())
              .describe('The reason of a stage of the option `stages`, as plain JSON.'),
            margin: z.number().min(0).optional().describe('How far it fell short, in a unit of that stage.'),
          }),
        ]),
      )
      .describe('In the order of the stages.'),
    ranking: z
      .strictObject({
        ranked: z
          .boolean()
          .describe('Whether an order counted as evidence: that of the list, or that of the scores.'),
        trust: share().describe('How far it counted: 0 not at all, 1 as if words could not disagree.'),
        reason: z
          .enum(['option', 'caller', 'scores', 'distances', 'unsorted-scores', 'document-order', 'unsaid'])
          .describe('How that is known: the option `ranked`, the argument of `shape`, or what `auto` found.'),
        weights: z.enum(['passages', 'talk', 'chat']).describe('Which set of learned weights was used.'),
        features: z
          .array(z.string())
          .describe('Those that tell chunks of this pool apart, and have a weight.'),
        history: z
          .strictObject({
            turns: z.int().min(1).describe('The number of its turns.'),
            words: z.int().min(0).describe('The number of their words that counted.'),
            carried: z
              .array(
                z.strictObject({
                  word: z.string().describe('As the turn has it, in lower case.'),
                  weight: share().describe('Weight; a word of the query has 1.'),
                }),
              )
              .optional()
              .describe('These words, heaviest first, if the option `preview` is on.'),
          })
          .optional()
          .describe('The conversation before the query. Absent without `query.history`.'),
      })
      .optional()
      .describe('How relevance was computed. Absent if it was not measured.'),
    answerable: z
      .strictObject({
        verdict: z
          .enum(['likely', 'unclear', 'unlikely'])
          .describe('`likely` from a probability of .7, `unlikely` below .2. It changes nothing else.'),
        probability: share().describe(
          'That these chunks hold the answer; one half without words in the query.',
        ),
      })
      .optional()
      .describe('Whether the chunks answer the question, as far as words tell. Absent with `ranking`.'),
    ecs: z
      .strictObject({
        method: z.enum(METHODS).describe('How utility was measured.'),
        model: z
          .string()
          .optional()
          .describe('The name that the model gives itself; absent if it was not asked.'),
        trust: z
          .enum(['profile', 'always', 'none'])
          .describe('Why utility may outrank relevance; none: it may not.'),
        share: z
          .number()
          .min(0)
          .max(1)
          .describe('Weight of utility in relevance: of the options or the profile.'),
        maxCandidates: z
          .int()
          .min(1)
          .describe('The most chunks that may be measured: of the options or the profile.'),
        scored: z.int().min(0).describe('Chunks that have a utility.'),
        bounded: z.int().min(0).describe('How many of these utilities are only bounds.'),
        passages: z
          .int()
          .min(0)
          .describe('Chunks, or the best parts of long ones, that the model was given.'),
        rounds: z.int().min(0).describe('How often they were compared, given the best so far.'),
        usage: usage('To the model.').describe('Costs.'),
      })
      .optional()
      .describe('How the model was used, if ecs is on.'),
    crag,
    conflicts: z
      .array(
        z.strictObject({
          level: z.literal('sure').describe('The statements have one subject.'),
          kinds: z
            .array(z.enum(['number', 'date', 'unit', 'name', 'negation', 'sign', 'word']))
            .describe('Kinds of the facts that differ.'),
          about: z
            .string()
            .optional()
            .describe('The words around what differs, if the option `preview` is on.'),
          sides: z
            .array(conflictSide)
            .min(2)
            .describe(
              'First those with a chunk in the result, in its order; then the others, in input order.',
            ),
          preferred: z.string().optional().describe('Why the first side comes first.'),
        }),
      )
      .describe('Chunks that say something else of the same thing. No verdict.'),
    flags: z
      .array(
        z.strictObject({
          id: id('The id of the chunk.'),
          index: place(),
          flags: z
            .array(
              z.discriminatedUnion('kind', [
                flag('query-echo', 'It repeats the question.', {
                  share: share().describe('Share of the words of the question.'),
                }),
                flag('keyword-stuffing', 'Words of the question fill it.', {
                  density: share().describe('Share of its words of substance.'),
                }),
                flag(
                  'dependent-group',
                  'Several chunks answer the question with the same words, which the rest of the pool does not have.',
                  {
                    support: z.int().min(0).describe('Place of the group in `support`.'),
                    members: z.int().min(3).describe('Number of these chunks.'),
                    sources: z.int().min(1).describe('Number of their documents.'),
                  },
                ),
                flag('hidden-characters', 'It has characters that people do not see.', {
                  count: z.int().min(1).describe('Number of the characters.'),
                  classes: z.array(z.enum(HIDDEN_CLASSES)).min(1).describe('Their kinds.'),
                }),
                flag('mixed-script', 'A word mixes letters of several scripts that look alike.', {
                  words: z.array(z.string()).min(1).describe('These words.'),
                }),
                flag('role-tag', 'It has tokens or tags that separate turns of a chat.', {
                  tags: z.array(z.string()).min(1).describe('These tags.'),
                }),
                flag('instruction', 'It gives an order to a model.', {
                  text: z.string().describe('Its beginning.'),
                }),
              ]),
            )
            .min(1)
            .describe('The kind of the flag.'),
        }),
      )
      .describe('Chunks of which something is to be said, kept or evicted, in input order.'),
    support: z
      .array(
        z.strictObject({
          ids: z.array(z.string()).min(3).describe('The most relevant first.'),
          indices: z.array(place()).min(3).describe('Their places in the input, from 0.'),
          says: z.array(z.string()).describe('Stems that at least half of them have beyond the question.'),
          sources: z
            .int()
            .min(1)
            .describe('How many documents they are from; those without one count as one.'),
        }),
      )
      .describe('Statements that three or more chunks share. No verdict.'),
    degradations: z
      .array(
        z.strictObject({
          stage: z.string().describe('The stage that used a fallback.'),
          code: z
            .enum([
              'pin-not-found',
              'option-without-effect',
              'query-empty',
              'embedder-failed',
              'embeddings-incomplete',
              'query-not-embedded',
              'conflicts-incomplete',
              'entropy-gate-lifted',
              'scores-contradict-order',
              'scores-rise',
              'list-in-document-order',
              'floor-lifted',
              'ecs-not-trusted',
              'ecs-failed',
              'ecs-incomplete',
              'utility-gate-lifted',
              'cut-to-fit',
              'nothing-fits',
              'best-over-budget',
              'header-over-budget',
              'pinned-over-budget',
              'grader-failed',
              'rewrite-failed',
              'search-failed',
              'grade-gate-lifted',
              'observer-failed',
              'stage-degraded',
            ])
            .describe('The page on errors explains each.'),
          message: z.string().describe('The fallback and its cause.'),
          field: z.string().optional().describe('The option that it is about, if it is about one.'),
        }),
      )
      .describe('Fallbacks that were used.'),
    stages: z
      .array(
        z.strictObject({
          name: z.string().describe('The name of the stage.'),
          input: z.int().min(0).describe('Chunks that it received.'),
          kept: z.int().min(0).describe('Chunks that it kept.'),
          evicted: z.int().min(0).describe('Chunks that it evicted.'),
          milliseconds: z.number().min(0).describe('Time that it took. Not in the digest.'),
        }),
      )
      .describe('In the order of execution.'),
    tokens: z
      .strictObject({
        input: tokens().describe('The tokens of all chunks.'),
        output: tokens().describe('The tokens of the kept chunks, as cut.'),
        budget: z
          .int()
          .min(1)
          .nullable()
          .describe('budget.maxTokens less budget.reserve; null without a cap.'),
      })
      .describe('Under the declared counter.'),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe(
        'SHA-256 of the report as JSON without `digest`, the stages’ `milliseconds` and `ecs.usage`.',
      ),
  })
  .describe('The outcome of every chunk of one call, with its reason.');
