/** Questions on the documentation of the packages in `node_modules`: ours, with what an answer has to quote. */

export interface DocumentationQuestion {
  question: string;
  /** Folders of packages whose documentation has the answer. */
  packages: readonly string[];
  /** Any of these, word for word but for white space, answers the question. */
  answers: readonly string[];
}

export const QUESTIONS: readonly DocumentationQuestion[] = [
  {
    question: 'How do I declare a variadic option with commander?',
    packages: ['commander'],
    answers: ['appending `...` to the value placeholder', '<numbers...>'],
  },
  {
    question: 'How do I make a commander option required?',
    packages: ['commander'],
    answers: ['.requiredOption('],
  },
  {
    question: 'What does the tilde range ~1.2.3 allow in semver?',
    packages: ['semver'],
    answers: ['`~1.2.3` := `>=1.2.3 <1.', '>=1.2.3 <1.3.0'],
  },
  {
    question: 'How does semver coerce a string to a version?',
    packages: ['semver'],
    answers: ['semver.coerce(', 'looks for the first digit'],
  },
  {
    question: 'How do I infer the TypeScript type from a zod schema?',
    packages: ['zod'],
    answers: ['z.infer<'],
  },
  {
    question: 'How can I handle errors of zod without throwing?',
    packages: ['zod'],
    answers: ['.safeParse('],
  },
  {
    question: 'What delay does ioredis wait between reconnection attempts by default?',
    packages: ['ioredis'],
    answers: ['Math.min(Math.pow(2, times - 1) * 50, 5000)'],
  },
  {
    question: 'How do I run a pipeline of commands in ioredis?',
    packages: ['ioredis'],
    answers: ['redis.pipeline()'],
  },
  {
    question: 'Does dotenv override environment variables that are already set?',
    packages: ['dotenv'],
    answers: ['override: true', 'will never modify any environment variables that have already been set'],
  },
  {
    question: 'Which environment variable turns colours off in chalk?',
    packages: ['chalk'],
    answers: ['FORCE_COLOR'],
  },
  {
    question: 'How do I create a version 5 UUID with a custom namespace?',
    packages: ['uuid'],
    answers: ['uuidv5('],
  },
  {
    question: 'How do I limit p-queue to a number of tasks per interval?',
    packages: ['p-queue'],
    answers: ['intervalCap'],
  },
  {
    question: 'How can p-retry be told to stop retrying?',
    packages: ['p-retry'],
    answers: ['AbortError'],
  },
  {
    question: 'How do I cancel a task in piscina?',
    packages: ['piscina'],
    answers: ['AbortController', 'AbortSignal'],
  },
  {
    question: 'How does piscina decide how many threads to use at most?',
    packages: ['piscina'],
    answers: ['maxThreads'],
  },
  {
    question: 'What are the default buckets of a prom-client histogram for?',
    packages: ['prom-client'],
    answers: ['cover usual web/RPC requests'],
  },
  {
    question: 'How do I serialise a date with fast-json-stringify?',
    packages: ['fast-json-stringify'],
    answers: ["format: 'date", 'date-time'],
  },
  {
    question: 'How do I replay a failing fast-check run with its seed?',
    packages: ['fast-check'],
    answers: ['seed'],
  },
  {
    question: 'What happens in find-my-way when two routes have the same path and method?',
    packages: ['find-my-way'],
    answers: ['already declared'],
  },
  {
    question: 'How do I show several bars at once with cli-progress?',
    packages: ['cli-progress'],
    answers: ['MultiBar'],
  },
  {
    question: 'How do I check whether a text is within a token limit with gpt-tokenizer?',
    packages: ['gpt-tokenizer'],
    answers: ['isWithinTokenLimit'],
  },
  {
    question: 'How do I escape nothing, that is print raw HTML, in a mustache template?',
    packages: ['mustache'],
    answers: ['{{{', 'triple mustache'],
  },
  {
    question: 'Does picomatch match dotfiles by default?',
    packages: ['picomatch'],
    answers: ['Enable dotfile matching', '`dot`'],
  },
  {
    question: 'How do I set a time to live for items in lru-cache?',
    packages: ['lru-cache'],
    answers: ['ttl'],
  },
  {
    question: 'Which option makes glob return absolute paths?',
    packages: ['glob'],
    answers: ['`absolute`'],
  },
  {
    question: 'How are debug logs of several namespaces enabled, and one excluded?',
    packages: ['debug'],
    answers: ['DEBUG=*,-', 'prefixing them with a "-"'],
  },
  {
    question: 'Can rfdc clone circular references?',
    packages: ['rfdc'],
    answers: ['circles'],
  },
  {
    question: 'How does uglify-js drop console calls?',
    packages: ['uglify-js'],
    answers: ['drop_console'],
  },
  {
    question: 'What does SameSite strict mean in the cookie package?',
    packages: ['cookie'],
    answers: ['strict same site enforcement'],
  },
  {
    question: 'How does secure-json-parse treat a __proto__ key by default?',
    packages: ['secure-json-parse'],
    answers: ['protoAction'],
  },
];
