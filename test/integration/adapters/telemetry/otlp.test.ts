/** A span as a collector receives it: sent by the exporter of the SDK over HTTP, as Protocol Buffers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createShaper } from 'context-shaping';
import { openTelemetry } from 'context-shaping/telemetry';
import { expect, test } from 'vitest';
import { fieldsOf } from '../../../adapters/telemetry/protobuf.js';
import { chunks, question as query } from '../../../pool.js';

test('arrives with its attributes and events', async () => {
  const bodies: { type: string | undefined; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    bodies.push({ type: request.headers['content-type'], body: await buffer(request) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url });
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const telemetry = openTelemetry({ tracer: provider.getTracer('test'), texts: true });
  const { report } = await createShaper({ k: 4, telemetry }).shape({ query, chunks });
  await provider.shutdown();
  server.close();
  expect(bodies.map(({ type }) => type)).toEqual(['application/x-protobuf']);
  // TracesData > ResourceSpans (1) > ScopeSpans (2) > Span (2), as trace.proto numbers them.
  const [resource] = fieldsOf(bodies[0]?.body as Buffer, 1);
  const [scope] = fieldsOf(resource as Buffer, 2);
  const [span] = fieldsOf(scope as Buffer, 2);
  expect(fieldsOf(span as Buffer, 5).map(String)).toEqual(['context_shaping.shape']);
  // KeyValue: key (1), value (2); of AnyValue only strings (1) are read here.
  const attributes = Object.fromEntries(
    fieldsOf(span as Buffer, 9).map((pair) => [
      String(fieldsOf(pair, 1)[0]),
      fieldsOf(fieldsOf(pair, 2)[0] as Buffer, 1).map(String)[0],
    ]),
  );
  expect(attributes).toMatchObject({
    'openinference.span.kind': 'RERANKER',
    'reranker.query': query,
    'context_shaping.digest': report.digest,
    'reranker.output_documents.0.document.id': report.kept[0]?.id,
  });
  const events = fieldsOf(span as Buffer, 11).map((event) => String(fieldsOf(event, 2)[0]));
  expect(events).toEqual(report.stages.map(() => 'context_shaping.stage'));
});
