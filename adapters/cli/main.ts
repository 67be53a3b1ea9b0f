#!/usr/bin/env node
import { makeProgram } from './program.js';
import { start } from './run.js';

await start(makeProgram);
