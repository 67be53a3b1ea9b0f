import type { Attributes, Meter } from '@opentelemetry/api';
import type { ShapingReport } from '../../src/index.js';
import { OWN } from './names.js';

/** Bounds of the histograms, in seconds: a stage takes microseconds, a person minutes. */
const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];
const TOKENS = [64, 256, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144, 1_048_576];

/** The instruments. Units are those of UCUM, and counts name their object in braces. */
export interface Meters {
  operation(seconds: number, attributes: Attributes): void;
  stage(name: string, seconds: number): void;
  report(report: ShapingReport): void;
}

export function createMeters(meter: Meter): Meters {
  const histogram = (name: string, unit: string, description: string, bounds: number[]) =>
    meter.createHistogram(`context_shaping.${name}`, {
      unit,
      description,
      advice: { explicitBucketBoundaries: bounds },
    });
  const counter = (name: string, description: string) =>
    meter.createCounter(`context_shaping.${name}s`, { unit: `{${name}}`, description });
  const ofWork = 'Duration of shapings and of the steps of corrective retrieval.';
  const operations = histogram('operation.duration', 's', ofWork, SECONDS);
  const stages = histogram('stage.duration', 's', 'Duration of the stages.', SECONDS);
  const ofTokens = 'Tokens of all chunks before and after shaping.';
  const tokens = histogram('token.usage', '{token}', ofTokens, TOKENS);
  const evictions = counter('eviction', 'Chunks that were left out, by reason and stage.');
  const degradations = counter('degradation', 'Failures that a fallback replaced, by code and stage.');
  return {
    operation: (seconds, attributes) => operations.record(seconds, attributes),
    stage: (name, seconds) => stages.record(seconds, { [OWN.stage]: name }),
    report(report) {
      tokens.record(report.tokens.input, { [OWN.tokenType]: 'input' });
      tokens.record(report.tokens.output, { [OWN.tokenType]: 'output' });
      for (const { reason, stage } of report.evicted)
        evictions.add(1, { [OWN.reason]: reason, [OWN.stage]: stage });
      for (const { code, stage } of report.degradations)
        degradations.add(1, { [OWN.code]: code, [OWN.stage]: stage });
    },
  };
}
