import { traces } from './kinds/samples.js';
import { PROGRAMS } from './kinds/programs.js';
import { countTokensO200k as c } from './tokens.js';
import { writeFileSync } from 'node:fs';
const all = traces(()=>true);
writeFileSync('/tmp/b35-traces.json', JSON.stringify(all));
const ids = new Set(all.map(({id})=>id));
console.log(all.length, PROGRAMS.length, PROGRAMS.filter(({name})=>!ids.has(name)).map(({name})=>name).join(' '));
console.log(all.map(({id,text})=>`${id}:${c(text)}`).join(' '));
