/** Recognises files by their names. */

const GENERATED =
  /(?:^|\/)(?:(?:package-lock|npm-shrinkwrap|composer)\.(?:json|lock)|(?:yarn|pnpm-lock|poetry|uv|Cargo|Gemfile|Podfile|flake|mix)\.(?:lock|yaml)|go\.sum|bun\.lockb?|(?:node_modules|bower_components|vendor|third_party|dist|build|out|target|coverage|__pycache__|__snapshots__|\.git|\.next|\.venv|venv|site-packages)\/.*|[^/]*(?:\.min\.(?:js|css)|\.map|\.snap|\.pyc|[._-]generated\.\w+|\.g\.dart|\.pb(?:\.\w+){1,3}|_pb2\.py|\.lock))$/;

/** Whether a program wrote the file, or it was installed. */
export const isGenerated = (path: string): boolean => GENERATED.test(path);

const TEST = /(?:^|\/)(?:tests?|__tests__|specs?)\/|(?:[._-](?:test|spec)|_test)\.\w+$|(?:^|\/)test_[^/]*$/;

export const isTest = (path: string): boolean => TEST.test(path);
