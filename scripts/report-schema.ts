/** The report as a schema, from which its published JSON Schema is generated. Not part of the bundle. */
import * as z from 'zod';
import { LINKAGES, METHODS } from '../src/input/options.js';
import { HIDDEN_CLASSES } from '../src/text/hidden/classes.js';

const place = () => z.int().min(0).describe('Place in the input, from 0.');
const tokens = () => z.int().min(0).describe('Under the declared counter.');
const share = () => z.number().min(0).max(1);
const distance = () => z.number().min(0).max(2);

const source = z.strictObject({
  id: z.string(),
  source: z.string().optional(),
  position: z.number().optional(),
  title: z.string().optional(),
  speaker: z.string().optional(),
  date: z.string().optional(),
});

const features = () =>
  z
    .record(z.string(), share())
    .optional()
    .describe('The contribution of each feature to relevance; the sum is the relevance.');

const kept = z.strictObject({
  id: z.string(),
  index: place(),
  score: z.number().optional().describe('The retriever’s own.'),
  pinned: z.literal(true).optional(),
  tier: z
    .int()
    .min(0)
    .optional()
    .describe('Place of its tier in the option `trust`, 0 the most trusted; absent without tiers.'),
  tokens: tokens(),
  entropy: z
    .strictObject({ character: z.number().min(0), token: z.number().min(0), blend: share() })
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
  cluster: z.int().min(0).optional(),
  rank: z.int().min(0).optional().describe('Place in the order of selection, from 0.'),
  sources: z.array(source).min(1).describe('Its own first, then those it inherited from copies that went.'),
  excerpts: z
    .array(z.strictObject({ start: z.int().min(0), end: z.int().min(0) }))
    .optional()
    .describe('Parts of the original text that are handed on, where it was cut; UTF-16 offsets.'),
  sanitised: z.literal(true).optional().describe('The option `sanitise` changed its text.'),
});

const evicted = <R extends string, T extends z.ZodRawShape>(reason: R, evidence: T) =>
  z.strictObject({
    id: z.string(),
    index: place(),
    stage: z.string(),
    tokens: tokens(),
    source: z.string().optional(),
    position: z.number().optional(),
    relevance: share().optional().describe('Within this pool, where it was measured.'),
    features: features(),
    utility: z.number().optional().describe('In nats, where it was measured.'),
    reason: z.literal(reason),
    ...evidence,
  });

const flag = <K extends string, T extends z.ZodRawShape>(kind: K, evidence: T) =>
  z.strictObject({ kind: z.literal(kind), ...evidence });

const reasons = () => z.array(z.enum(['before-search', 'ambiguous', 'incorrect', 'conflict']));

const crag = z
  .strictObject({
    verdict: z.enum(['correct', 'ambiguous', 'incorrect']),
    outcome: z.enum(['context', 'answered', 'refused']),
    answer: z.string().optional().describe('A person’s.'),
    query: z.string().optional().describe('The question in the end, where a person changed it.'),
    path: z.array(z.string()).describe('The steps, in their order.'),
    grader: z.string(),
    thresholds: z.strictObject({ lower: share(), upper: share() }),
    grades: z.array(
      z.strictObject({
        id: z.string(),
        index: place(),
        grade: share(),
        reason: z.string().optional(),
        by: z
          .string()
          .optional()
          .describe('The substitute for the grader: `relevance` if the grader failed.'),
      }),
    ),
    searches: z.array(
      z.strictObject({
        query: z.string(),
        found: z.int().min(0).describe('Documents that were not known before.'),
        failure: z.string().optional(),
      }),
    ),
    reviews: z.array(
      z.strictObject({
        about: z.enum(['context', 'search']),
        reasons: reasons(),
        action: z.enum(['approve', 'answer', 'edit', 'refuse']),
        by: z.string().optional(),
        note: z.string().optional(),
        search: z.union([z.string(), z.literal(false)]).optional(),
        pin: z.array(z.string()).optional(),
        veto: z.array(z.string()).optional(),
        unevict: z.array(z.string()).optional(),
      }),
    ),
  })
  .optional()
  .describe('The facts about corrective retrieval; absent without it.');

export const reportSchema = z
  .strictObject({
    version: z.literal(1),
    query: z.string(),
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
          evicted('low-entropy', { entropy: share(), minEntropy: share() }),
          evicted('exact-duplicate', { keptId: z.string() }),
          evicted('semantic-duplicate', {
            keptId: z.string(),
            distance: distance(),
            maxDistance: distance(),
            measure: z.enum(['cosine', 'lexical']),
          }),
          evicted('cluster-member', {
            keptId: z.string(),
            cluster: z.int().min(0),
            distance: distance(),
            maxDistance: z
              .number()
              .min(0)
              .describe(`Height of the cut, by the linkage: ${LINKAGES.join(', ')}.`),
          }),
          evicted('low-utility', { minUtility: z.number() }),
          evicted('below-floor', { floor: share(), margin: share() }),
          evicted('low-grade', { grade: share(), minGrade: share() }),
          evicted('vetoed', { by: z.string().optional(), note: z.string().optional() }),
          evicted('outranked', { k: z.int().min(1), margin: z.number().min(0) }),
          evicted('over-budget', {
            limit: z.enum(['maxTokens', 'perSource', 'chunksPerSource', 'trust']),
            budgetToKeep: z.int().min(0).nullable(),
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
        ranked: z.boolean().describe('Did the order of the list count as evidence, best first?'),
        reason: z
          .enum(['option', 'caller', 'default', 'document-order', 'unsorted-scores'])
          .describe('How that is known: the option `ranked`, the caller, or what `auto` found in the pool.'),
        weights: z.enum(['passages', 'talk', 'chat']).describe('Which set of learned weights was used.'),
        features: z
          .array(z.string())
          .describe('Those that tell chunks of this pool apart, and have a weight.'),
      })
      .optional()
      .describe('How relevance was computed. Absent if it was not measured.'),
    ecs: z
      .strictObject({
        method: z.enum(METHODS),
        model: z
          .string()
          .optional()
          .describe('The name that the model gives itself; absent if it was not asked.'),
        trust: z
          .enum(['profile', 'always', 'none'])
          .describe('Why utility may outrank relevance; none: it may not.'),
        scored: z.int().min(0).describe('Chunks that have a utility.'),
        bounded: z.int().min(0).describe('How many of these utilities are only bounds.'),
        passages: z.int().min(0).describe('Chunks, or parts of long ones, that the model was given.'),
        rounds: z.int().min(0).describe('How often they were compared, given the best so far.'),
        usage: z.strictObject({
          requests: z.int().min(0),
          tokens: z.int().min(0).optional(),
          cachedTokens: z.int().min(0).optional(),
        }),
      })
      .optional()
      .describe('How the model was used, if ecs is on.'),
    crag,
    conflicts: z.array(
      z.strictObject({
        ids: z.tuple([z.string(), z.string()]),
        indices: z.tuple([place(), place()]),
        kinds: z.array(z.enum(['number', 'date', 'unit', 'name', 'negation'])),
        differences: z.tuple([z.array(z.string()), z.array(z.string())]),
      }),
    ),
    flags: z
      .array(
        z.strictObject({
          id: z.string(),
          index: place(),
          flags: z
            .array(
              z.discriminatedUnion('kind', [
                flag('query-echo', { share: share().describe('Share of the words of the question.') }),
                flag('keyword-stuffing', { density: share().describe('Share of its words of substance.') }),
                flag('dependent-group', {
                  support: z.int().min(0).describe('Place of the group in `support`.'),
                  members: z.int().min(3),
                  sources: z.int().min(1),
                }),
                flag('hidden-characters', {
                  count: z.int().min(1),
                  classes: z.array(z.enum(HIDDEN_CLASSES)).min(1),
                  decoded: z.string().optional().describe('The text that they spell, if it can be read.'),
                }),
                flag('mixed-script', { words: z.array(z.string()).min(1) }),
                flag('role-tag', { tags: z.array(z.string()).min(1) }),
                flag('instruction', { text: z.string().describe('Its beginning.') }),
              ]),
            )
            .min(1),
        }),
      )
      .describe('Chunks of which something is to be said, kept or evicted, in input order.'),
    support: z
      .array(
        z.strictObject({
          ids: z.array(z.string()).min(3).describe('The most relevant first.'),
          indices: z.array(place()).min(3),
          says: z.array(z.string()).describe('Stems that at least half of them have beyond the question.'),
          sources: z
            .int()
            .min(1)
            .describe('How many documents they are from; those without one count as one.'),
        }),
      )
      .describe('Statements that three or more chunks share. No verdict.'),
    degradations: z.array(
      z.strictObject({
        stage: z.string(),
        code: z.enum([
          'embedder-failed',
          'embeddings-incomplete',
          'query-not-embedded',
          'entropy-gate-lifted',
          'scores-contradict-order',
          'scores-outlying',
          'floor-lifted',
          'ecs-not-trusted',
          'ecs-failed',
          'ecs-incomplete',
          'utility-gate-lifted',
          'cut-to-fit',
          'nothing-fits',
          'best-over-budget',
          'pinned-over-budget',
          'grader-failed',
          'rewrite-failed',
          'search-failed',
          'review-failed',
          'grade-gate-lifted',
          'observer-failed',
          'stage-degraded',
        ]),
        message: z.string(),
      }),
    ),
    stages: z.array(
      z.strictObject({
        name: z.string(),
        input: z.int().min(0),
        kept: z.int().min(0),
        evicted: z.int().min(0),
        milliseconds: z.number().min(0),
      }),
    ),
    tokens: z.strictObject({
      input: tokens(),
      output: tokens(),
      budget: z.int().min(1).nullable().describe('budget.maxTokens less budget.reserve; null without a cap.'),
    }),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe(
        'SHA-256 of the report as JSON without `digest`, the stages’ `milliseconds`, and `ecs.usage`.',
      ),
  })
  .describe('The outcome of every chunk of one call, with its reason.');
