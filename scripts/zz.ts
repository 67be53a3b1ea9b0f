import { structureOf } from '../adapters/structures/index.js';

const T: Record<string, string> = {
  log: `2024-01-01 10:00:00 INFO start\n2024-01-01 10:00:01 ERROR boom\n  at foo (a.js:1)\n  at bar\n2024-01-01 10:00:02 INFO end\n2024-01-01 10:00:03 INFO end`,
  log2: `[10:00:00] building...\n[10:00:01] done with x\nError: cannot find y\n[10:00:02] z`,
  kubectl: `NAME      READY  STATUS   AGE\npod-a     1/1    Running  3d\npod-b     0/1    Failed   2d\npod-c     1/1    Running  1d`,
  psql: ` id | name | city \n----+------+------\n 1 | a | X\n 2 | b | Y\n 3 | c | Z\n(3 rows)\n`,
  mysql: `+----+------+\n| id | name |\n+----+------+\n|  1 | a    |\n|  2 | b    |\n+----+------+\n`,
  csv2: `name,age\nann,3\nbob,4\ncid,5\n`,
  csvq: `id,name,note\n1,"a, b","line\nbreak ""q"""\n2,c,d\n3,e,f\n`,
  tsv: `id\tname\n1\ta\n2\tb\n3\tc`,
  html: `<p>Hello</p>\n<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr>\n<tr><td>3</td><td>4</td></tr>\n</table>\n<p>bye</p>`,
  kv: `name: x\nage: 3\ncity: Y`,
  grep: `src/a.ts:12:const x = 1;\nsrc/b.ts:3:let y;\nsrc/c.ts:9:foo()`,
  ls: `src/a.ts\nsrc/b.ts\nsrc/c.ts\nsrc/d.ts`,
  ndjson: `{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n{"a":3}`,
  ragged: `id,name,c\n1,a\n2,b,c\n3,c,d,e\n4,1,1\n`,
  code: `function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n`,
};
for (const [k, t] of Object.entries(T)) {
  const s = structureOf(t);
  console.log('==', k, s.blocks.length);
  for (const [i, b] of s.blocks.entries())
    console.log(
      '  ',
      JSON.stringify(b.text),
      b.cuttable,
      b.title ?? '',
      JSON.stringify(s.rebuild([{ index: i }]).text),
    );
  if (s.rebuild(s.blocks.map((_, index) => ({ index }))).text !== t)
    console.log('NOT EQUAL', JSON.stringify(s.rebuild(s.blocks.map((_, index) => ({ index }))).text));
}
