/** The state of the page. Views read signals and call these functions. */
import { batch, computed, signal } from '@preact/signals';
import type { SessionOverrides, ShapingReport, ShapingResult } from 'context-shaping';
import { type Run, readRuns } from './data.js';
import { filtered, NO_FILTER, wordsOf } from './model/filter.js';
import { newestWins } from './model/newest.js';
import { type Opened, openRun } from './model/open.js';
import { type Row, reused, rowsOf, type Texts } from './model/rows.js';

export const runs = signal<readonly Run[]>(readRuns(document));

/** Place of the run that is shown. */
export const place = signal(0);
export const run = computed(() => runs.value[place.value]);
export const recorded = computed(() => run.value?.report as ShapingReport);

const opened: Opened[] = [];
/** The session of the run that is shown. It is opened once. */
export const session = computed((): Opened => {
  opened[place.value] ??= run.value === undefined ? { missing: '' } : openRun(run.value);
  return opened[place.value] as Opened;
});

/** Options that the sliders change. Empty: the recorded run. */
export const overrides = signal<Overrides>({});
export interface Overrides {
  maxTokens?: number | null;
  k?: number | null;
  lambda?: number;
}
/** The newest result of the page: with the recorded options, or with {@link overrides}. */
const result = signal<ShapingResult | undefined>(undefined);
export const reshaped = computed(() =>
  Object.keys(overrides.value).length === 0 ? undefined : result.value?.report,
);
/** The library's words on options that it refuses. */
export const problem = signal('');

export const report = computed(() => reshaped.value ?? recorded.value);
/** The result behind the report, if the page can repeat it to the bit: it has the texts, and further runs explain it. */
export const exact = computed(() =>
  result.value?.report.digest === report.value.digest ? result.value : undefined,
);
/** Whether {@link exact} will come: the page has all that the run had. */
export const isRepeatable = computed(() => 'session' in session.value && session.value.notes.length === 0);
export const textsOf = (of: Run | undefined): Texts =>
  of?.lockfile?.input.chunks.map(({ text }) => text) ?? [];
const texts = computed(() => textsOf(run.value));
let drawn: readonly Row[] = [];
export const rows = computed(() => {
  const passages = exact.value && new Map(exact.value.chunks.map(({ index, text }) => [index, text]));
  drawn = reused(
    drawn,
    rowsOf(report.value, texts.value, { recorded: recorded.value, ...(passages && { passages }) }),
  );
  return drawn;
});
export const rowByIndex = computed(() => new Map(rows.value.map((row) => [row.index, row])));
export const filter = signal(NO_FILTER);
export const shown = computed(() => filtered(rows.value, filter.value));

/** Indices of the chunks whose details are open. */
export const open = signal<ReadonlySet<number>>(new Set());

export const searched = computed(() => wordsOf(filter.value));
export function toggle(index: number): void {
  const next = new Set(open.value);
  if (!next.delete(index)) next.add(index);
  open.value = next;
}

/** Shows one chunk: opens it, drops filters that would hide it, and moves the focus there once it is drawn. */
export function goTo(index: number): void {
  batch(() => {
    if (!shown.value.some((row) => row.index === index)) filter.value = NO_FILTER;
    open.value = new Set([...open.value, index]);
  });
  setTimeout(() => document.querySelector<HTMLElement>(`#chunk-${index} > .chunk-head`)?.focus());
}

export function showRun(at: number): void {
  batch(() => {
    place.value = at;
    overrides.value = {};
    result.value = undefined;
    open.value = new Set();
    filter.value = NO_FILTER;
  });
  void change({});
}

/** Shows a run that the data of the page did not have. */
export function addRun(own: Run): void {
  runs.value = [...runs.value, own];
  showRun(runs.value.length - 1);
}

/** Shapes again with other options. Steps that a newer one overtakes are left out. */
export function change(next: Overrides): Promise<void> {
  overrides.value = next;
  return step(next);
}

const step = newestWins(async (next: Overrides) => {
  const now = session.value;
  if ('missing' in now) return;
  try {
    const found = await now.session.at(inFull(next));
    if (now !== session.value) return;
    batch(() => {
      result.value = found;
      problem.value = '';
    });
  } catch (error) {
    problem.value = error instanceof Error ? error.message : String(error);
  }
  // Lets the browser draw, and take the next move of the slider.
  await new Promise((done) => setTimeout(done));
});

function inFull({ maxTokens, k, lambda }: Overrides): SessionOverrides {
  return {
    ...(maxTokens === undefined ? {} : { budget: { maxTokens } }),
    ...(k === undefined ? {} : { k }),
    ...(lambda === undefined ? {} : { lambda }),
  };
}
