/** The errors of adapters that call models, by kind. */
import { ContextShapingError, type ContextShapingErrorKind } from '../../src/index.js';
import type { ErrorText } from '../../src/internal.js';

const ofKind =
  (kind: ContextShapingErrorKind) =>
  (field: string, value: unknown, is: ErrorText, remedy: ErrorText, cause?: unknown): ContextShapingError =>
    new ContextShapingError(kind, { field, value, is, remedy, cause });

export const invalidOption = ofKind('invalid-options');
export const serviceError = ofKind('service');
