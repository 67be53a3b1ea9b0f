#!/usr/bin/env node
import { start } from 'context-shaping/cli';
import { makeProgram } from './program.js';

await start(makeProgram);
