/** The places of the sources where a regular expression is written or made, from their syntax trees. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CallExpression,
  type NewExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

const SOURCES = /^(?:src|adapters|packages\/(?!research\/)[^/]+\/src|inspector)\/.*\.(?:tsx?|mjs)$/;
/** The functions that make an expression, and the one that defers what makes something. */
const MAKERS = new Set(['RegExp', 'lazyRegExp', 'textRegExp', 'lazily']);

export interface Place {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Offsets in the file. */
  readonly start: number;
  readonly end: number;
  /** The function that makes the expression. Undefined: a literal. */
  readonly maker?: string;
  readonly literal?: { source: string; flags: string };
}

/** All places, in the order of the files. */
export function placesOf(root: string): Place[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => SOURCES.test(file));
  const folder = mkdtempSync(join(tmpdir(), 'places-'));
  const config = join(folder, 'tsconfig.json');
  // Only the trees are wanted: no libraries, and no file that another one imports.
  const compilerOptions = { noLib: true, noResolve: true, types: [], allowJs: true, jsx: 'preserve' };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: files.map((file) => join(root, file)) }));
  const api = new API({ cwd: root });
  try {
    const program = api.updateSnapshot({ openProject: config }).getProject(config)?.program;
    return files.flatMap((file) => {
      const tree = program?.getSourceFile(join(root, file));
      if (tree === undefined) throw new Error(`${file} has no syntax tree.`);
      return [...within(tree, file, readFileSync(join(root, file), 'utf8'))];
    });
  } finally {
    api.close();
    rmSync(folder, { recursive: true });
  }
}

function* within(tree: SourceFile, file: string, text: string): Generator<Place> {
  const left: Node[] = [tree];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    node.forEachChild((child) => void left.push(child));
    const maker = makerOf(node);
    const isLiteral = node.kind === SyntaxKind.RegularExpressionLiteral;
    if (!isLiteral && maker === undefined) continue;
    const start = node.getStart(tree);
    const written = text.slice(start, node.end);
    const line = text.slice(0, start).split('\n').length;
    const [, source = '', flags = ''] = isLiteral ? (/^\/(.*)\/(\w*)$/.exec(written) ?? []) : [];
    yield {
      file,
      line,
      start,
      end: node.end,
      ...(isLiteral ? { literal: { source, flags } } : { maker }),
    } as Place;
  }
}

function makerOf(node: Node): string | undefined {
  if (node.kind !== SyntaxKind.NewExpression && node.kind !== SyntaxKind.CallExpression) return undefined;
  const { expression } = node as NewExpression | CallExpression;
  const { text } = expression as { text?: string };
  return expression.kind === SyntaxKind.Identifier && MAKERS.has(text ?? '') ? text : undefined;
}
