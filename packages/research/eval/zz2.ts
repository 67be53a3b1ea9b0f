import { readFileSync } from 'node:fs';
import { shapeToolResult } from 'context-shaping/tool-results';
import { drawOf } from './draw.js';
import { countTokensO200k } from './tokens.js';
import { blindRivals, measureResults, HEAD, TAIL, RANDOM_LINES } from './suites/result-suite.js';
import { formatTable } from './tables.js';
const [,, half='choosing', least='0', f='2,4', show] = process.argv;
const all = JSON.parse(readFileSync('/tmp/b35-traces.json','utf8')).filter((s: any)=> (drawOf(s.id.replace(/^app_|\d\.\w+$/g,''))%2===0) === (half==='choosing') && s.text.length >= Number(least));
if (show) { const s = all.find((x:any)=>x.id===show); for (const g of f.split(',')) { const r = await shapeToolResult({content: s.text, maxTokens: Math.floor(countTokensO200k(s.text)/Number(g)), tokenizer: 'o200k_base'}); console.log('####', g, r.report.tokens, r.report.kind, s.needed.filter((n:string)=>!r.content.includes(n))); console.log(r.content); console.log(r.note);} process.exit(); }
const r = await measureResults({ suite:'t', title:'t', given: all.map((s:any)=>({...s, group: s.id})), methods: [...blindRivals<any>(), {name:'ours', gates:[RANDOM_LINES,HEAD,TAIL], shape: ({text}:any, maxTokens:number)=>shapeToolResult({content:text,maxTokens,tokenizer:'o200k_base'})}],
 budgetsOf: ({text}:any)=>f.split(',').map(Number).map(x=>[`${x}x`, Math.floor(countTokensO200k(text)/x)] as const), keptIn: (text:string,{needed}:any)=>needed.filter((n:string)=>text.includes(n)).length/needed.length, onProgress(){} });
for (const t of r.tables) console.log(formatTable(t));
