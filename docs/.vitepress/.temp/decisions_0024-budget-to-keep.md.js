import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"24. budgetToKeep is a promise","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"24. budgetToKeep is a promise"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0024-budget-to-keep.md","filePath":"decisions/0024-budget-to-keep.md"}');
const _sfc_main = { name: "decisions/0024-budget-to-keep.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="24-budgettokeep-is-a-promise" tabindex="-1">24. <code>budgetToKeep</code> is a promise <a class="header-anchor" href="#24-budgettokeep-is-a-promise" aria-label="Permalink to &quot;24. \`budgetToKeep\` is a promise&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The report names a limit under which an evicted chunk would have stayed. Packing skips chunks that do not fit and is therefore not monotone in the budget: a tighter figure would need a search over budgets.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The figure is sufficient. It has room for the chunk and for everything ahead of it in the order. If texts are cut or clusters lose members, it has room for everything that de-duplication left.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The figure may be larger than necessary. It is <code>null</code> if raising that one limit is not enough, because <code>k</code> or the other limit also excludes the chunk. The figure can be many times the least one, and the same for many chunks. So people see another figure: <code>formatReport</code> says how far the chunk was below the last one that was kept (<code>lastKept</code>, <code>margin</code>). <code>explain</code> of <code>context-shaping/explain</code> finds the least budget by shaping again.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0024-budget-to-keep.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0024BudgetToKeep = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0024BudgetToKeep as default
};
