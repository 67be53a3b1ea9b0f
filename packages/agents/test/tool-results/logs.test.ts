import { describe, expect, test } from 'vitest';
import { shapeToolResult } from '../../src/tool-results/index.js';

/** Lines of one form, as each kind of program prints hundreds of them. */
const many = (count: number, line: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => line(at));

/** Outputs of programs of many kinds, and the lines that tell of the failure. */
const OUTPUTS: Record<string, { log: string[]; needed: string[] }> = {
  gradle: {
    log: [
      'Starting a Gradle Daemon (subsequent builds will be faster)',
      ...many(200, (at) => `> Task :module${at}:compileJava UP-TO-DATE`),
      '> Task :app:test',
      'com.acme.billing.InvoiceTest > roundsHalfUp() FAILED',
      '    org.opentest4j.AssertionFailedError: expected: <10.13> but was: <10.12>',
      '        at app//com.acme.billing.InvoiceTest.roundsHalfUp(InvoiceTest.java:41)',
      ...many(60, (at) => `com.acme.billing.OtherTest > case${at}() PASSED`),
      '312 tests completed, 1 failed',
      '> Task :app:test FAILED',
      'FAILURE: Build failed with an exception.',
      '* What went wrong:',
      "Execution failed for task ':app:test'.",
      'BUILD FAILED in 1m 12s',
      '214 actionable tasks: 3 executed, 211 up-to-date',
    ],
    needed: [
      'InvoiceTest > roundsHalfUp() FAILED',
      'expected: <10.13> but was: <10.12>',
      '312 tests completed, 1 failed',
      "Execution failed for task ':app:test'.",
    ],
  },
  maven: {
    log: [
      '[INFO] Scanning for projects...',
      ...many(
        300,
        (at) =>
          `[INFO] Downloading from central: https://repo.example.org/maven2/org/lib/part${at}/1.${at}/part${at}.jar`,
      ),
      '[ERROR] COMPILATION ERROR : ',
      '[ERROR] /src/main/java/com/acme/Parser.java:[88,17] cannot find symbol',
      '  symbol:   method trimAll()',
      '[INFO] 1 error',
      ...many(40, (at) => `[INFO] Reactor Summary part ${at} ... SKIPPED`),
      '[INFO] BUILD FAILURE',
      '[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile',
    ],
    needed: ['Parser.java:[88,17] cannot find symbol', 'symbol:   method trimAll()', 'BUILD FAILURE'],
  },
  go: {
    log: [
      ...many(150, (at) => `ok  \tgithub.com/acme/service/pkg${at}\t0.0${at}s`),
      '=== RUN   TestRetry',
      '    retry_test.go:57: got 4 attempts, want 3',
      '--- FAIL: TestRetry (0.31s)',
      'FAIL',
      'FAIL\tgithub.com/acme/service/retry\t0.412s',
      ...many(150, (at) => `ok  \tgithub.com/acme/service/other${at}\t0.1${at}s`),
      'FAIL',
      'make: *** [Makefile:12: test] Error 1',
    ],
    needed: [
      'retry_test.go:57: got 4 attempts, want 3',
      '--- FAIL: TestRetry',
      'make: *** [Makefile:12: test] Error 1',
    ],
  },
  rspec: {
    log: [
      'Randomized with seed 4312',
      ...many(200, (at) => `  creates the account number ${at}`),
      'Failures:',
      '  1) Order#total adds the tax once',
      '     Failure/Error: expect(order.total).to eq(119)',
      '       expected: 119',
      '            got: 138',
      '     # ./spec/models/order_spec.rb:22:in `block (3 levels)`',
      'Finished in 12.4 seconds (files took 3.1 seconds to load)',
      '201 examples, 1 failure',
      'rspec ./spec/models/order_spec.rb:20 # Order#total adds the tax once',
    ],
    needed: ['1) Order#total adds the tax once', 'expect(order.total).to eq(119)', '201 examples, 1 failure'],
  },
  dotnet: {
    log: [
      '  Determining projects to restore...',
      ...many(200, (at) => `  Restored /src/Project${at}/Project${at}.csproj (in ${at} ms).`),
      "/src/Api/Startup.cs(31,13): error CS0103: The name 'Configure' does not exist in the current context [/src/Api/Api.csproj]",
      ...many(80, (at) => `  Project${at} -> /src/Project${at}/bin/Release/net8.0/Project${at}.dll`),
      'Build FAILED.',
      '    0 Warning(s)',
      '    1 Error(s)',
      'Time Elapsed 00:00:41.20',
    ],
    needed: ["error CS0103: The name 'Configure' does not exist", 'Build FAILED.', '1 Error(s)'],
  },
  terraform: {
    log: [
      'Initializing provider plugins...',
      ...many(150, (at) => `aws_instance.worker[${at}]: Refreshing state... [id=i-0${at}]`),
      ...many(150, (at) => `aws_instance.worker[${at}]: Still creating... [${at}0s elapsed]`),
      '╷',
      '│ Error: creating S3 Bucket (acme-logs): BucketAlreadyExists: The requested bucket name is not available',
      '│ ',
      '│   with aws_s3_bucket.logs,',
      '│   on storage.tf line 14, in resource "aws_s3_bucket" "logs":',
      '╵',
      ...many(60, (at) => `aws_route53_record.www[${at}]: Creation complete after ${at}s`),
      'Error: Process completed with exit code 1.',
    ],
    needed: ['BucketAlreadyExists', 'on storage.tf line 14', 'exit code 1'],
  },
  server: {
    log: [
      ...many(
        300,
        (at) =>
          `2026-02-03 11:00:${10 + (at % 50)},123 INFO  [http-${at % 8}] c.a.web.Access - GET /items/${at} 200 ${at}ms`,
      ),
      '2026-02-03 11:05:01,001 ERROR [http-3] c.a.web.Errors - Unhandled exception for POST /orders',
      'java.lang.IllegalStateException: connection pool exhausted',
      '\tat com.acme.db.Pool.take(Pool.java:77)',
      '\tat com.acme.web.Orders.create(Orders.java:31)',
      'Caused by: java.net.SocketTimeoutException: Read timed out',
      ...many(
        300,
        (at) =>
          `2026-02-03 11:06:${10 + (at % 50)},123 INFO  [http-${at % 8}] c.a.web.Access - GET /items/${at} 200 ${at}ms`,
      ),
    ],
    needed: [
      'Unhandled exception for POST /orders',
      'connection pool exhausted',
      'Caused by: java.net.SocketTimeoutException: Read timed out',
      'com.acme.web.Orders.create(Orders.java:31)',
    ],
  },
  ctest: {
    log: [
      ...many(
        300,
        (at) =>
          `${at + 1}/301 Test #${at + 1}: unit_${at} ........................   Passed    0.0${at % 10} sec`,
      ),
      '301/301 Test #301: geometry_edges ..................***Failed    0.21 sec',
      '/src/geometry/edges.cpp:112: Failure',
      'Value of: edges.size()',
      '  Actual: 11',
      'Expected: 12',
      '99% tests passed, 1 tests failed out of 301',
      'The following tests FAILED:',
      '\t301 - geometry_edges (Failed)',
      'Errors while running CTest',
    ],
    needed: [
      'edges.cpp:112: Failure',
      'Actual: 11',
      '1 tests failed out of 301',
      '301 - geometry_edges (Failed)',
    ],
  },
  ansible: {
    log: [
      ...many(
        80,
        (at) =>
          `TASK [role${at} : install packages] ${'*'.repeat(40)}\nok: [web${at % 4}]\nchanged: [web${(at + 1) % 4}]`,
      ),
      `TASK [nginx : reload the configuration] ${'*'.repeat(30)}`,
      'fatal: [web2]: FAILED! => {"changed": false, "msg": "Unable to reload service nginx: Job for nginx.service failed"}',
      `PLAY RECAP ${'*'.repeat(60)}`,
      'web1 : ok=160 changed=80 unreachable=0 failed=0 skipped=0',
      'web2 : ok=80 changed=40 unreachable=0 failed=1 skipped=0',
    ],
    needed: ['TASK [nginx : reload the configuration]', 'Unable to reload service nginx', 'failed=1'],
  },
  docker: {
    log: [
      '#1 [internal] load build definition from Dockerfile',
      ...many(
        200,
        (at) =>
          `#${5 + (at % 6)} ${at}.1 Get:${at} http://deb.example.org/debian stable/main amd64 library${at} all [${at} kB]`,
      ),
      '#12 [builder 5/9] RUN pip install -r requirements.txt',
      '#12 3.111 ERROR: Could not find a version that satisfies the requirement acme-core==9.1 (from versions: 8.0, 8.1)',
      '#12 ERROR: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1',
      ...many(
        100,
        (at) => `#${13 + (at % 3)} ${at}.5 extracting sha256:${String(at).padStart(12, 'a')} done`,
      ),
      'ERROR: failed to solve: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1',
    ],
    needed: [
      'RUN pip install -r requirements.txt',
      'Could not find a version that satisfies the requirement acme-core==9.1',
      'failed to solve',
    ],
  },
  npm: {
    log: [
      ...many(
        250,
        (at) => `npm http fetch GET 200 https://registry.example.org/part-${at} ${at}ms (cache hit)`,
      ),
      'npm ERR! code ERESOLVE',
      'npm ERR! ERESOLVE unable to resolve dependency tree',
      'npm ERR! Found: react@18.3.1',
      'npm ERR! Could not resolve dependency:',
      'npm ERR! peer react@"^17.0.0" from old-widget@2.0.4',
      ...many(60, (at) => `npm timing idealTree:node_modules/part-${at} Completed in ${at}ms`),
    ],
    needed: ['code ERESOLVE', 'Found: react@18.3.1', 'peer react@"^17.0.0" from old-widget@2.0.4'],
  },
};

describe('the failure of programs of many kinds is shown, without a question', () => {
  test.each(Object.entries(OUTPUTS))('%s', async (_, { log, needed }) => {
    const { content, report } = await shapeToolResult({ content: log.join('\n'), maxTokens: 450 });
    expect(report.kind).toBe('log');
    expect(needed.filter((line) => !content.includes(line))).toEqual([]);
    expect(report.tokens.sent).toBeLessThanOrEqual(450);
  });
});

test('the output of a command is a log, although it says nothing that logs say', async () => {
  const lines = [
    'Setting up the environment as the file says',
    ...many(90, (at) => `aws_instance.web[${at}]: Refreshing state (id ${at})`),
    'The following actions will be performed, as the configuration says.',
    'Plan: 1 to add, 0 to change, 1 to destroy.',
  ];
  const kindOf = async (command: string) => {
    const call = { tool: 'Bash', arguments: { command } };
    const { content, report } = await shapeToolResult({ content: lines.join('\n'), maxTokens: 200, ...call });
    return [report.kind, content.includes(lines.at(-1) as string)];
  };
  expect(await kindOf('cd infra && terraform plan | cat')).toEqual(['log', true]);
  expect(await kindOf('cat plan.txt')).toEqual(['log', true]);
});

describe('stack traces in a log', () => {
  const steps = many(300, (at) => `2026-01-05T10:00:00Z INFO order ${at} was shipped to Oslo`);
  const javascript = [
    'TypeError: order is not defined',
    '    at priceOf (/app/src/price.js:7:3)',
    ...many(25, (at) => `    at Layer.handle${at} (/app/node_modules/express/lib/router/layer.js:${at}:5)`),
    '    at start (/app/src/server.js:12:9)',
  ];
  const python = [
    'Traceback (most recent call last):',
    '  File "/app/server.py", line 12, in start',
    '    handle(order)',
    ...many(25, (at) => `  File "/usr/lib/python3/dist-packages/a.py", line ${at}, in f${at}\n    f(${at})`),
    '  File "/app/price.py", line 7, in price_of',
    "    return order['price']",
    "KeyError: 'price'",
  ];

  test.each([
    { name: 'JavaScript', trace: javascript, own: [javascript[0], javascript[1], javascript.at(-1)] },
    { name: 'Python', trace: python, own: [python[1], python.at(-3), python.at(-2), python.at(-1)] },
  ])(
    '$name: the message and the frames of the program stay, libraries fill the room',
    async ({ trace, own }) => {
      const log = [...steps, '2026-01-05T10:00:01Z ERROR order 301 failed', ...trace, ...steps].join('\n');
      const { content, report } = await shapeToolResult({ content: log, maxTokens: 400 });
      expect(report.kind).toBe('log');
      for (const line of own) expect(content).toContain(line);
      expect(report.tokens.sent).toBeGreaterThan(380);
    },
  );
});
