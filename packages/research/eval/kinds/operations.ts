/** Outputs of programs that run systems, and one list in six notations. Each has planted signals, and is made of a fixed seed. */
import { seededRandom } from '../../../../test/random.js';
import type { Sample } from './samples.js';

const random = seededRandom(7);
const number = (most: number): number => Math.floor(random() * most);
const one = (...words: readonly string[]): string => words[number(words.length)] as string;
const hex = (length: number): string => Array.from({ length }, () => number(16).toString(16)).join('');
const two = (value: number): string => String(Math.floor(value) % 60).padStart(2, '0');
const many = (count: number, line: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => line(at));
const service = () => one('cart', 'stock', 'mail', 'search', 'auth', 'media');
const address = () => `10.${number(250)}.${number(250)}.${number(250)}`;
const sample = (id: string, lines: readonly string[], ...needed: readonly string[]): Sample => ({
  id,
  text: lines.join('\n'),
  needed,
});

/** The lines with others in their place from one line on. */
const replaced = (lines: readonly string[], at: number, ...own: readonly string[]): string[] =>
  lines.toSpliced(at, own.length, ...own);

const time = (at: number) => `2026-03-02T10:${two(at / 60)}:${two(at)}`;
const request = (at: number, path: string, status: number) =>
  `${address()} - - [02/Mar/2026:10:${two(at / 60)}:${two(at)} +0000] "GET ${path} HTTP/1.1" ${status} ${number(9000)} "-" "Mozilla/5.0"`;

export const OPERATIONS: readonly Sample[] = [
  sample(
    'access log',
    replaced(
      many(400, (at) => request(at, `/${service()}/${number(900)}`, 200)),
      217,
      request(217, '/admin/keys', 403),
      request(218, '/pay/771', 502),
    ),
    '"GET /admin/keys HTTP/1.1" 403',
    '"GET /pay/771 HTTP/1.1" 502',
  ),
  sample(
    'strace',
    replaced(
      many(500, (at) => `read(${3 + number(6)}, "${hex(12)}"..., 4096) = ${number(4096)} <0.0000${at % 10}>`),
      333,
      'openat(AT_FDCWD, "/etc/app/tls.key", O_RDONLY) = -1 EACCES (Permission denied)',
    ).concat('exit_group(1) = ?', '+++ exited with 1 +++'),
    '/etc/app/tls.key", O_RDONLY) = -1 EACCES',
    '+++ exited with 1 +++',
  ),
  sample(
    'ansible',
    [
      'PLAY [web] *********************************************************************',
      ...many(
        40,
        (at) =>
          `\nTASK [role${at} : install ${service()}] ****************************************\n${many(6, (host) => `ok: [web-${host}]`).join('\n')}`,
      ),
      '\nTASK [nginx : reload] **********************************************************',
      'ok: [web-0]',
      'fatal: [web-3]: FAILED! => {"changed": false, "msg": "Unable to reload service nginx: Job failed"}',
      ...many(
        12,
        (at) => `\nTASK [later${at} : check] *******************************************\nok: [web-0]`,
      ),
      '\nPLAY RECAP *********************************************************************',
      ...many(
        6,
        (at) =>
          `web-${at}                      : ok=4${at}   changed=0    unreachable=0    failed=${Number(at === 3)}`,
      ),
    ],
    'TASK [nginx : reload]',
    'Unable to reload service nginx',
    'failed=1',
  ),
  sample(
    'terraform plan',
    [
      ...many(120, (at) => `aws_instance.node[${at}]: Refreshing state... [id=i-${hex(12)}]`),
      '',
      'Terraform will perform the following actions:',
      ...many(
        25,
        (at) =>
          `\n  # aws_instance.node[${at}] will be updated in-place\n  ~ resource "aws_instance" "node" {\n        id   = "i-${hex(12)}"\n      ~ tags = {\n          ~ "rev" = "${at}" -> "${at + 1}"\n        }\n    }`,
      ),
      '\n  # aws_db_instance.orders must be replaced\n-/+ resource "aws_db_instance" "orders" {\n      ~ engine = "postgres" -> "mysql" # forces replacement\n    }',
      ...many(
        15,
        (at) =>
          `\n  # aws_route.r[${at}] will be updated in-place\n  ~ resource "aws_route" "r" {\n      ~ gateway = "igw-${hex(6)}" -> "igw-${hex(6)}"\n    }`,
      ),
      '\nPlan: 1 to add, 40 to change, 1 to destroy.',
    ],
    'aws_db_instance.orders must be replaced',
    '# forces replacement',
    'Plan: 1 to add, 40 to change, 1 to destroy.',
  ),
  sample(
    'kubectl describe',
    [
      'Name:         cart-7d9f',
      'Namespace:    shop',
      'Containers:',
      ...many(
        30,
        (at) =>
          `  sidecar-${at}:\n    Image:          registry.example.org/side/${service()}:1.${at}\n    State:          Running\n      Started:      Mon, 02 Mar 2026 10:0${at % 10}:00\n    Ready:          True\n    Restart Count:  0`,
      ),
      '  cart:\n    Image:          registry.example.org/shop/cart:9.1\n    State:          Waiting\n      Reason:       CrashLoopBackOff\n    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n    Ready:          False\n    Restart Count:  41',
      ...many(
        30,
        (at) =>
          `  tail-${at}:\n    Image:          registry.example.org/tail/${service()}:2.${at}\n    State:          Running\n    Ready:          True\n    Restart Count:  0`,
      ),
    ],
    '  cart:',
    'CrashLoopBackOff',
    'OOMKilled',
  ),
  sample(
    'kubectl get pods',
    replaced(
      [
        'NAME                       READY   STATUS             RESTARTS   AGE',
        ...many(
          300,
          (at) => `${service()}-${hex(6)}-${at}   1/1     Running            0          ${number(90)}d`,
        ),
      ],
      171,
      'pay-5f77c9-x2               0/1     ImagePullBackOff   0          4m',
    ),
    'NAME  ',
    'pay-5f77c9-x2',
  ),
  sample(
    'docker ps',
    replaced(
      [
        'CONTAINER ID   IMAGE                 COMMAND       STATUS                     NAMES',
        ...many(
          200,
          (at) =>
            `${hex(12)}   shop/${service()}:1.${at}   "node ."      Up ${1 + number(20)} days               ${service()}_${at}`,
        ),
      ],
      120,
      `${hex(12)}   shop/worker:3.2       "node job"    Exited (139) 2 hours ago   worker_9`,
    ),
    'Exited (139)',
    'worker_9',
  ),
  sample(
    'journalctl',
    replaced(
      many(
        400,
        (at) => `Mar 02 10:${two(at / 60)}:${two(at)} host systemd[1]: Started ${service()}-${at}.service.`,
      ),
      254,
      'Mar 02 10:04:14 host sshd[811]: error: PAM: Authentication failure for root from 203.0.113.9',
      'Mar 02 10:04:15 host systemd[1]: backup.service: Main process exited, code=exited, status=2/INVALIDARGUMENT',
    ),
    'Authentication failure for root',
    'backup.service: Main process exited',
  ),
  sample(
    'dmesg',
    replaced(
      many(
        400,
        (at) =>
          `[ ${at + 10}.${hex(6).replace(/\D/g, '4')}] usb 1-${at % 8}: new high-speed USB device number ${at}`,
      ),
      300,
      '[ 310.112233] Out of memory: Killed process 4242 (java) total-vm:8123456kB',
      '[ 310.112240] EXT4-fs error (device sda1): ext4_lookup:1785: inode #131: comm bash: deleted inode',
    ),
    'Killed process 4242 (java)',
    'EXT4-fs error (device sda1)',
  ),
  sample(
    'explain analyze',
    [
      'Sort  (cost=9.1..9.9 rows=40) (actual time=8123.1..8123.9 rows=40 loops=1)',
      ...many(
        60,
        (at) =>
          `  ->  Hash Join  (cost=${at}.1..${at}.9 rows=${number(900)}) (actual time=0.${at}..0.9 rows=9 loops=1)\n        Hash Cond: (a${at}.id = b${at}.id)\n        ->  Index Scan using ${service()}_${at}_pk on ${service()}  (actual time=0.01..0.02 rows=1 loops=1)`,
      ),
      '  ->  Seq Scan on orders_archive  (cost=0..99 rows=9) (actual time=0.1..8011.2 rows=9100221 loops=1)\n        Filter: (state = 4)\n        Rows Removed by Filter: 9100180',
      ...many(
        20,
        (at) => `  ->  Materialize  (cost=${at}..${at}.9 rows=1) (actual time=0.1..0.2 rows=1 loops=1)`,
      ),
      'Execution Time: 8124.221 ms',
    ],
    'Sort  (cost',
    'Execution Time: 8124.221 ms',
  ),
  sample(
    'kubectl get -o yaml',
    [
      'apiVersion: v1',
      'items:',
      ...many(
        70,
        (at) =>
          `- metadata:\n    name: ${service()}-${at}\n    uid: ${hex(8)}-${hex(4)}\n  status:\n    phase: ${at === 44 ? 'Failed' : 'Running'}\n    reason: ${at === 44 ? 'Evicted' : 'Ready'}\n    hostIP: ${address()}`,
      ),
      'kind: List',
    ],
    'phase: Failed',
    'reason: Evicted',
    '-44\n',
  ),
  sample(
    'pytest',
    [
      '============================= test session starts ==============================',
      ...many(300, (at) => `tests/test_${service()}.py::test_case_${at} PASSED`),
      'tests/test_price.py::test_rounding FAILED',
      '=================================== FAILURES ===================================',
      '    def test_rounding():',
      '>       assert total(3) == 10.13',
      'E       assert 10.12 == 10.13',
      'tests/test_price.py:41: AssertionError',
      ...many(80, (at) => `tests/test_${service()}.py::test_later_${at} PASSED`),
      '======================== 1 failed, 380 passed in 9.71s =========================',
    ],
    'E       assert 10.12 == 10.13',
    'tests/test_price.py:41: AssertionError',
    '1 failed, 380 passed',
  ),
  sample(
    'eslint',
    [
      ...many(
        60,
        (at) =>
          `/repo/src/${service()}${at}.ts\n${many(4, (nth) => `  ${at + nth}:5   warning  Unexpected any ${hex(4)}  no-explicit-any`).join('\n')}\n`,
      ),
      '/repo/src/pay.ts\n  88:11  error    Promises must be awaited  no-floating-promises\n',
      ...many(20, (at) => `/repo/src/z${at}.ts\n  ${at}:1  warning  Unexpected any  no-explicit-any\n`),
      '✖ 261 problems (1 error, 260 warnings)',
    ],
    '/repo/src/pay.ts',
    'Promises must be awaited',
    '261 problems (1 error, 260 warnings)',
  ),
  sample(
    'npm ls',
    [
      'shop@1.0.0 /repo',
      ...many(150, (at) => `├─┬ ${service()}-${at}@1.${at}.0\n│ └── sub-${at}@2.${number(30)}.1`),
      '├─┬ billing@4.0.0\n│ └── UNMET DEPENDENCY left-pad@^9.0.0',
      ...many(60, (at) => `├── ${service()}-z${at}@3.${at}.0`),
      '└── zlib@1.0.5',
    ],
    'billing@4.0.0',
    'UNMET DEPENDENCY left-pad',
  ),
  sample(
    'page snapshot',
    [
      '- document:',
      '  - list "Orders":',
      ...many(
        120,
        (at) =>
          `    - listitem [ref=e${at}]:\n      - link "Order ${1000 + at}" [cursor=pointer]\n      - text: ${at === 77 ? 'Payment declined' : 'Delivered'}`,
      ),
    ],
    'listitem [ref=e77]',
    'text: Payment declined',
  ),
  sample(
    'kubectl get events',
    replaced(
      [
        'LAST SEEN   TYPE      REASON      OBJECT                 MESSAGE',
        ...many(
          250,
          (at) =>
            `${number(59)}m         Normal    Pulled      pod/${service()}-${at}        Container image "shop:${at}" already present`,
        ),
      ],
      88,
      '2m          Warning   FailedMount pod/pay-0              MountVolume.SetUp failed for volume "tls": secret "pay-tls" not found',
    ),
    'FailedMount',
    'secret "pay-tls" not found',
  ),
  sample(
    'gradle',
    [
      'Starting a Gradle Daemon',
      ...many(300, (at) => `> Task :${service()}${at}:compileJava UP-TO-DATE`),
      '> Task :app:compileJava FAILED',
      '/repo/app/src/Parser.java:88: error: cannot find symbol',
      '  symbol:   method trimAll()',
      ...many(60, (at) => `> Task :${service()}z${at}:jar SKIPPED`),
      'FAILURE: Build failed with an exception.',
      "Execution failed for task ':app:compileJava'.",
      'BUILD FAILED in 1m 12s',
    ],
    'Parser.java:88: error: cannot find symbol',
    "Execution failed for task ':app:compileJava'.",
    'BUILD FAILED in 1m 12s',
  ),
  sample(
    'log of a service in JSON',
    replaced(
      many(300, (at) =>
        JSON.stringify({
          time: time(at),
          level: 'info',
          service: service(),
          msg: `handled ${hex(6)}`,
          ms: number(90),
        }),
      ),
      201,
      JSON.stringify({
        time: time(201),
        level: 'error',
        service: 'pay',
        msg: 'card vault refused the key',
        ms: 3012,
      }),
      JSON.stringify({
        time: time(202),
        level: 'warn',
        service: 'pay',
        msg: 'falls back to the second vault',
        ms: 12,
      }),
    ),
    'card vault refused the key',
    'falls back to the second vault',
  ),
];

const records = many(240, (at) =>
  JSON.stringify({
    id: 4000 + at,
    city: one('Lisbon', 'Oslo', 'Graz', 'Turin'),
    status: at === 133 ? 'error' : 'delivered',
    note: at === 133 ? 'parcel lost in Brno' : `parcel ${hex(6)}`,
  }),
).map((row) => JSON.parse(row) as Record<string, string | number>);
const keys = Object.keys(records[0] as object);
const cells = (row: Record<string, string | number>, between: string) =>
  keys.map((key) => row[key]).join(between);

/** One list of records, of which one has an error. */
export const NOTATIONS: readonly Sample[] = (
  [
    ['JSON', JSON.stringify(records)],
    ['JSON with indentation', JSON.stringify(records, null, 2)],
    ['JSON Lines', records.map((row) => JSON.stringify(row)).join('\n')],
    ['CSV', [keys.join(','), ...records.map((row) => cells(row, ','))].join('\n')],
    [
      'Markdown',
      [
        `| ${keys.join(' | ')} |`,
        `|${' --- |'.repeat(keys.length)}`,
        ...records.map((row) => `| ${cells(row, ' | ')} |`),
      ].join('\n'),
    ],
    [
      'YAML',
      records
        .map((row) => keys.map((key, at) => `${at === 0 ? '- ' : '  '}${key}: ${row[key]}`).join('\n'))
        .join('\n'),
    ],
  ] as const
).map(([id, text]) => ({ id, text, needed: ['4133', 'parcel lost in Brno'] }));
