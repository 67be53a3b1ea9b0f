#!/usr/bin/env node
import { start } from 'context-shaping/internal';
import { makeProgram } from './program.js';

await start(makeProgram);
