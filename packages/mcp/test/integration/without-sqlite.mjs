/** Hides the package `better-sqlite3`, as where it is not installed. */
import { register } from 'node:module';

register(
  `data:text/javascript,${encodeURIComponent(`
    export function resolve(name, context, next) {
      if (name !== 'better-sqlite3') return next(name, context);
      throw Object.assign(new Error("Cannot find package 'better-sqlite3'"), { code: 'ERR_MODULE_NOT_FOUND' });
    }`)}`,
);
