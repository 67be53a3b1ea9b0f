/** The JSON request that the command line and the HTTP service share. */
export {
  fieldsAsWritten,
  type QueryFlag,
  readShapeRequest,
  type ShapeRequest,
} from './shape-request.js';
