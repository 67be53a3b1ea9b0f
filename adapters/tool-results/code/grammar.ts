/** Statements of code by a grammar of the caller, in place of brackets and indentation. */
import type { Statement } from './statements.js';

/** A node of a syntax tree, as `web-tree-sitter` and `tree-sitter` have it. */
export interface SyntaxNode {
  readonly type: string;
  readonly startPosition: { readonly row: number; readonly column: number };
  readonly endPosition: { readonly row: number; readonly column: number };
  readonly namedChildren: readonly (SyntaxNode | null)[];
  childForFieldName(name: string): SyntaxNode | null;
}

/** Reads code. A parser of tree-sitter for the language of the file makes one in a line. */
export interface CodeGrammar {
  /**
   * @param about the name of the file, if the arguments of the call have it.
   * @returns the root of the syntax tree; undefined if the language is not known, and the built-in reader reads.
   */
  parse(code: string, about: { readonly path?: string | undefined }): SyntaxNode | undefined;
}

const FUNCTION =
  /^(?:async_)?(?:function|method|constructor|arrow_function|function_expression|generator_function|lambda)(?:_(?:declaration|definition|item|expression))?$|^(?:func_literal|destructor_declaration|init_declaration)$/;
const CONTAINER =
  /^(?:abstract_)?(?:class|interface|struct|enum|union|trait|impl|module|mod|namespace|object|record|protocol|extension|internal_module)(?:_(?:declaration|definition|item|specifier|body))?$/;
const IMPORT =
  /^(?:import|use_declaration|preproc_include|using_directive|package_clause|package_declaration)/;
const COMMENT = /comment/;
/** Belongs to what follows. */
const ABOVE = /comment|^decorator$|^attribute_item$|^annotation$/;
/** Nodes around a declaration. */
const HOLDER =
  /^(?:export_statement|decorated_definition|lexical_declaration|variable_declaration|variable_declarator|expression_statement|assignment(?:_expression)?|pair|public_field_definition|field_definition|template_declaration|ambient_declaration)$/;

/** @param lines the lines of the code. */
export function statementsBy(root: SyntaxNode, lines: readonly string[]): Statement[] {
  const statements: Statement[] = [];
  let above: SyntaxNode[] = [];
  const flush = () => {
    const [begin] = above;
    const end = above.at(-1);
    if (begin !== undefined && end !== undefined) {
      const [first, last] = [begin.startPosition.row, lastRow(end)];
      statements.push({ first, head: first, open: last, close: last, last, is: 'comment', inner: () => [] });
    }
    above = [];
  };
  for (const node of root.namedChildren) {
    if (node === null) continue;
    const head = node.startPosition.row;
    const before = above.at(-1);
    if (before !== undefined && lastRow(before) + 1 < head) flush();
    const previous = statements.at(-1);
    // A comment at the end of a line belongs to the line.
    if (previous !== undefined && head <= previous.last && above.length === 0) {
      if (lastRow(node) > previous.last)
        statements.splice(-1, 1, {
          ...previous,
          last: lastRow(node),
          open: lastRow(node),
          close: lastRow(node),
          is: 'other',
        });
      continue;
    }
    if (ABOVE.test(node.type)) {
      above.push(node);
      continue;
    }
    statements.push(statementOf(node, above[0]?.startPosition.row ?? head, lines));
    above = [];
  }
  flush();
  return statements;
}

function statementOf(node: SyntaxNode, first: number, lines: readonly string[]): Statement {
  const head = node.startPosition.row;
  const last = lastRow(node);
  const declared = declaredIn(node);
  const body = declared?.childForFieldName('body') ?? undefined;
  const is = IMPORT.test(node.type)
    ? 'import'
    : declared === undefined
      ? 'other'
      : FUNCTION.test(declared.type)
        ? 'function'
        : 'container';
  if (body === undefined || lastRow(body) <= head)
    return {
      first,
      head,
      open: last,
      close: last,
      last,
      is: COMMENT.test(node.type) ? 'comment' : is,
      inner: () => [],
    };
  const { row, column } = body.startPosition;
  const isBracket = /[{([]/.test((lines[row] as string)[column] ?? '');
  return {
    first,
    head,
    open: isBracket ? row : Math.max(head, row - 1),
    close: isBracket ? lastRow(body) - 1 : lastRow(body),
    last,
    is,
    inner: () => statementsBy(body, lines),
  };
}

function declaredIn(node: SyntaxNode): SyntaxNode | undefined {
  if (FUNCTION.test(node.type) || CONTAINER.test(node.type)) return node;
  if (!HOLDER.test(node.type)) return undefined;
  for (const child of node.namedChildren) {
    const found = child === null ? undefined : declaredIn(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

const lastRow = ({ startPosition, endPosition: { row, column } }: SyntaxNode): number =>
  column === 0 ? Math.max(startPosition.row, row - 1) : row;
