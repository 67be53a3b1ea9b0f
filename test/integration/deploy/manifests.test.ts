/** The numbers, names and paths of the manifests fit one another and the service. */
import { readFileSync } from 'node:fs';
import { createService, type ServiceOptions, serviceOptionsSchema } from 'context-shaping-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeProgram } from '../../../packages/server/src/program.js';
import { containers, hasTools, REPLICAS, tool } from '../../deploy/compose.js';
import { blocksOf } from '../../documents/page.js';
import { mustHaveAll } from '../../must-have-all.js';

// biome-ignore lint/suspicious/noExplicitAny: any object of Kubernetes
type Manifest = any;

const read = (file: string) => readFileSync(file, 'utf8');
const inSeconds = (milliseconds = 0) => milliseconds / 1000;
/** Options of a file, checked; the setup is a module of the image. */
const optionsIn = (text: string) => serviceOptionsSchema.parse(JSON.parse(text));

function manifests(): Manifest[] {
  const { parseAllDocuments } = tool('yaml') as {
    parseAllDocuments(text: string): { errors: unknown[]; toJS(): Manifest }[];
  };
  return parseAllDocuments(read('deploy/kubernetes.yaml')).map((each) => {
    expect(each.errors).toEqual([]);
    return each.toJS();
  });
}

describe.runIf(hasTools || mustHaveAll)('Kubernetes', () => {
  const all = hasTools ? manifests() : [];
  const one = (kind: string, name = 'context-shaping'): Manifest => {
    const found = all.filter((each) => each.kind === kind && each.metadata.name === name);
    expect(found, kind).toHaveLength(1);
    return found[0];
  };
  const pod = () => one('Deployment').spec.template.spec;
  const container = () => pod().containers[0];
  const options = () => optionsIn(one('ConfigMap').data['service.json']);

  test('the probes are answered, and the port is that of the service', async () => {
    const { setup, host, port, ...rest } = options();
    expect(container().ports).toEqual([{ name: 'http', containerPort: port }]);
    expect(host).toBe('0.0.0.0');
    expect(setup).toBe('setup.js');
    expect(read('deploy/Dockerfile')).toContain('deploy/setup.js');
    const service = await createService({ ...rest, workers: 0, logger: false } as ServiceOptions);
    onTestFinished(() => service.close());
    const { startupProbe, readinessProbe, livenessProbe } = container();
    for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
      expect(httpGet.port).toBe('http');
      expect((await service.app.inject(httpGet.path)).statusCode).toBe(200);
    }
    // A process that is still at work while it drains must not be killed for it.
    expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/ready', '/health']);
    expect(one('Service').spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  });

  test('a replica has the time to drain, and to answer all accepted requests', () => {
    const { drainMs, shutdownMs, workers } = options();
    const { terminationGracePeriodSeconds, containers } = pod();
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(inSeconds(drainMs + shutdownMs) + 5);
    // Balancers that ask for readiness learn of it within the drain.
    const { readinessProbe, lifecycle, resources } = containers[0];
    const { periodSeconds, failureThreshold } = readinessProbe;
    expect(inSeconds(drainMs)).toBeGreaterThanOrEqual(periodSeconds * failureThreshold);
    expect(lifecycle).toBeUndefined();
    expect(resources.limits.cpu).toBe(String(workers));
  });

  test('every object selects the pods of the deployment', () => {
    const { labels } = one('Deployment').spec.template.metadata;
    const { selector, template } = one('Deployment').spec;
    expect(selector.matchLabels).toEqual(labels);
    expect(one('Service').spec.selector).toEqual(labels);
    expect(one('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    for (const { labelSelector } of template.spec.topologySpreadConstraints)
      expect(labelSelector.matchLabels).toEqual(labels);
    const { scaleTargetRef, minReplicas, maxReplicas } = one('HorizontalPodAutoscaler').spec;
    const { apiVersion, kind, metadata } = one('Deployment');
    expect(scaleTargetRef).toEqual({ apiVersion, kind, name: metadata.name });
    expect([minReplicas, maxReplicas > minReplicas]).toEqual([3, true]);
    expect(one('PodDisruptionBudget').spec.maxUnavailable).toBeLessThan(minReplicas);
  });

  test('each container finds its settings and secrets, and no secret is in the manifest', () => {
    const known = [
      'deploy/setup.js',
      'packages/server/src/commands/serve.ts',
      'packages/server/src/commands/worker.ts',
    ].map(read);
    const { data, metadata } = one('ConfigMap');
    for (const deployment of all.filter(({ kind }) => kind === 'Deployment')) {
      const { containers, volumes } = deployment.spec.template.spec;
      const [{ env, volumeMounts }] = containers;
      for (const { name, value, valueFrom } of env) {
        expect(known.join('\n')).toContain(name);
        const { configMapKeyRef: setting, secretKeyRef: secret } = valueFrom ?? {};
        if (setting) expect([setting.name, data[setting.key]]).toEqual([metadata.name, expect.any(String)]);
        else if (secret) expect(secret).toEqual({ name: 'context-shaping', key: expect.any(String) });
        else {
          const mount = volumeMounts.find(({ mountPath }: Manifest) => value.startsWith(`${mountPath}/`));
          const volume = volumes.find(({ name }: Manifest) => name === mount.name);
          expect(volume.secret.items.map(({ path }: Manifest) => `${mount.mountPath}/${path}`)).toContain(
            value,
          );
        }
      }
    }
    expect(all.map(({ kind }) => kind)).not.toContain('Secret');
  });

  test('a container has the limits of the compose file', () => {
    for (const { spec } of all.filter(({ kind }) => kind === 'Deployment')) {
      const [{ securityContext, resources }] = spec.template.spec.containers;
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
      expect(resources.limits).toEqual({ cpu: '2', memory: '1Gi' });
    }
  });

  test('the worker of batches has flags that its command takes, and probes at its port', () => {
    const { selector, template } = one('Deployment', 'context-shaping-worker').spec;
    expect(template.metadata.labels).toEqual(selector.matchLabels);
    // No request of the service may reach it.
    expect(template.metadata.labels).not.toEqual(one('Service').spec.selector);
    const [{ args, ports, readinessProbe, livenessProbe }] = template.spec.containers;
    const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: {} };
    const program = makeProgram({ ...io, signal: new AbortController().signal } as never);
    const command = program.commands.find((each) => each.name() === args[0]);
    const flags = new Set(command?.options.map(({ long }) => long));
    for (const flag of args.filter((each: string) => each.startsWith('--'))) expect(flags).toContain(flag);
    const port = Number(args[args.indexOf('--metrics-port') + 1]);
    expect(ports).toEqual([{ name: 'metrics', containerPort: port }]);
    expect([readinessProbe, livenessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: '/ready', port: 'metrics' },
      { path: '/health', port: 'metrics' },
    ]);
    expect(read('packages/server/package.json')).toContain('"bullmq"');
  });
});

describe.runIf(hasTools || mustHaveAll)('the replicas of the compose file', () => {
  test('have the time to drain, and fewer threads than processors', () => {
    const { shaping, balancer } = containers(REPLICAS);
    const { drainMs, shutdownMs, workers, timeLimitMs } = optionsIn(read('deploy/service.replicas.json'));
    expect(drainMs).toBeGreaterThan(0);
    const seconds = (text = '') => Number(/^(\d+)s$/.exec(text)?.[1]);
    expect(seconds(shaping?.stop_grace_period)).toBeGreaterThanOrEqual(inSeconds(drainMs + shutdownMs) + 5);
    expect(String(workers)).toBe(containers().shaping?.deploy?.resources.limits.cpus);
    expect(shaping?.deploy).toEqual({ replicas: 3 });
    expect(shaping?.volumes).toEqual(['./service.replicas.json:/app/service.json:ro']);
    // The longest wait for a worker, and then the longest work.
    const wait = seconds(/proxy_read_timeout (\w+);/.exec(read('deploy/nginx.conf'))?.[1]);
    expect(wait).toBeGreaterThan(inSeconds(2 * timeLimitMs));
    expect(seconds(balancer?.stop_grace_period)).toBeGreaterThan(wait);
  });

  test('only the balancer has a port of the machine', () => {
    expect(read(REPLICAS)).toContain('ports: !reset []');
    const { balancer } = containers(REPLICAS);
    const listens = /listen (\d+);/.exec(read('deploy/nginx.conf'))?.[1];
    expect(balancer?.ports).toEqual([`127.0.0.1:8000:${listens}`]);
    expect(balancer?.healthcheck?.test.join(' ')).toContain(`:${listens}/health`);
    const { port } = optionsIn(read('deploy/service.replicas.json'));
    expect(read('deploy/nginx.conf')).toContain(`server shaping:${port} resolve`);
  });
});

test('the alerts of the page name metrics that a replica has, and Prometheus can read their file', async () => {
  const [rules] = blocksOf('docs/guide/growing.md').filter(({ file }) => file?.endsWith('.rules.yaml'));
  const names = new Set(rules?.code.match(/\b(?:context_shaping|nodejs|process)_\w+/g));
  expect(names.size).toBeGreaterThan(5);
  const service = await createService({ workers: 0, logger: false });
  onTestFinished(() => service.close());
  const payload = JSON.stringify({ query: 'Who?', chunks: [{ id: 'a', text: 'Ann.' }] });
  const headers = { 'content-type': 'application/json' };
  await service.app.inject({ method: 'POST', url: '/v1/shape', headers, payload });
  const { body } = await service.app.inject('/metrics');
  for (const name of names)
    expect(body).toMatch(new RegExp(`^# TYPE ${name.replace(/_(?:bucket|count)$/, '')} `, 'm'));
  if (!hasTools) return;
  const { parse } = tool('yaml') as { parse(text: string): { groups: { rules: { expr: string }[] }[] } };
  for (const { expr } of parse(rules?.code ?? '').groups.flatMap((group) => group.rules))
    expect(expr).toMatch(/[<>]/);
});
