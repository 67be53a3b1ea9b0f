/** Errors of the service and of batches, by kind. */
import { ContextShapingError, type ContextShapingErrorKind } from 'context-shaping';

const ofKind =
  (kind: ContextShapingErrorKind) =>
  (field: string, value: unknown, is: string, remedy: string, cause?: unknown): ContextShapingError =>
    new ContextShapingError(kind, { field, value, is, remedy, cause });

export const invalidInput = ofKind('invalid-input');
export const invalidOption = ofKind('invalid-options');
export const serviceError = ofKind('service');
