/** More questions on the READMEs in `node_modules`, for results that are whole files: ours, with what an answer has to quote. */
import type { DocumentationQuestion } from './questions.js';

const of = (packages: string, question: string, ...answers: string[]): DocumentationQuestion => ({
  question,
  packages: [packages],
  answers,
});

export const RESULT_QUESTIONS: readonly DocumentationQuestion[] = [
  of(
    'needle',
    'Which redirect status codes does needle follow, and which event tells that?',
    '`301`, `302`, `303`, `307`',
  ),
  of(
    'needle',
    'From which version on does needle support promises?',
    'From version 2.0.x up, Promises are also supported',
  ),
  of('needle', 'Which package keeps the internal sockets alive for a proxy agent with needle?', '`hpagent`'),
  of(
    'lru-cache',
    'When is storage allocated in lru-cache if max is set?',
    'storage is allocated for `max` items',
  ),
  of(
    'semver',
    'Which leading characters does semver strip off and ignore?',
    'A leading `"="` or `"v"` character is stripped off',
  ),
  of('picomatch', 'What does returnState do in picomatch?', 'return the state from the parsed glob'),
  of(
    'avvio',
    'Why is avvio called reentrant?',
    'a plugin can use the same application instance to register more plugins',
  ),
  of(
    'avvio',
    'How can plugins fail when they do not complete in time with avvio?',
    'not completing within the configured `timeout`',
  ),
  of(
    'dotenv',
    'How do I write multiline variables such as private keys for dotenv?',
    'If you need multiline variables',
  ),
  of('dotenv', 'What do empty values become in a parsed dotenv file?', 'empty values become empty strings'),
  of('debug', 'How can I add custom formatters to debug?', 'extending the `debug.formatters` object'),
  of(
    'html-to-text',
    'After how many characters does html-to-text break lines, and how is wordwrap disabled?',
    'After how many chars a line break should follow',
  ),
  of(
    'html-to-text',
    'What does blockString insert in html-to-text?',
    'Insert a block with the given string literal',
  ),
  of('minimatch', 'Does minimatch match equivalence classes such as [[=e=]]?', "will _not_ match `'é'`"),
  of(
    '@fastify/rate-limit',
    'What is the default ipv6Subnet prefix length of the key generator of fastify rate-limit?',
    'Defaults to `64`',
  ),
  of(
    '@fastify/rate-limit',
    'Which callback is executed when the ban limit has been reached in rate-limit?',
    '`onBanReach`',
  ),
  of('@fastify/static', 'What happens with dotfiles in fastify static by default?', "defaults (`'ignore'`)"),
  of(
    'source-map',
    'Are line numbers 0-based or 1-based in the source-map library and specification?',
    'specification uses 0-based line numbers',
  ),
  of(
    'ip-address',
    'What is the canonical form of an IPv6 address in ip-address?',
    'all 8 groups, each padded to 4 hex digits',
  ),
  of('cookie', 'Which function decodes cookie values by default?', 'the global `decodeURIComponent`'),
  of('cookie', 'What does priority medium set for a cookie?', '`Priority` attribute to `Medium`'),
  of(
    'magic-string',
    'Does magic-string mutate its state, and how do I get an immutable copy?',
    '`.clone()` to be immutable',
  ),
  of('tinybench', 'What does mode bench mean for concurrency in tinybench?', "When `mode` is set to 'bench'"),
  of('cli-progress', 'What is the maximum update rate fps of cli-progress by default?', '`fps` (type:float)'),
  of('cli-progress', 'Which token shows the expected time of accomplishment in cli-progress?', '`{eta}`'),
  of(
    'pg-pool',
    'When is a connection considered expended with maxUses in pg-pool?',
    'acquired and released `maxUses` number of times',
  ),
  of(
    '@fastify/compress',
    'How do I disable the global compression hook of fastify compress?',
    '{ global: false }',
  ),
  of(
    'secure-json-parse',
    'What does the safe option of secure-json-parse return when a forbidden prototype property is found?',
    'returns `null` instead of throwing',
  ),
  of('bl', 'What does shallowSlice return in bl?', '`shallowSlice()` returns a new `BufferList` object'),
  of('es-module-lexer', 'What build does es-module-lexer use instead of Web Assembly?', 'an asm.js build'),
  of(
    'node-fetch',
    'When is the Content-Type header set to x-www-form-urlencoded automatically by node-fetch?',
    'when an instance of `URLSearchParams` is given',
  ),
  of(
    'undici',
    'Does undici assume that connections are persistent?',
    'always assumes that connections are persistent',
  ),
  of('smol-toml', 'What is the precision of TomlDate in smol-toml?', 'limited to millisecond precision'),
  of('find-my-way', 'Which option of find-my-way ignores duplicate slashes?', '`ignoreDuplicateSlashes`'),
  of(
    'find-my-way',
    'Which version is chosen if several have the same major in the Accept-Version header of find-my-way?',
    'always choose the highest compatible',
  ),
  of('light-my-request', 'Which option of light-my-request starts the request automatically?', '`autoStart`'),
];
