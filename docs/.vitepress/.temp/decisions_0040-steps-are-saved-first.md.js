import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"40. Each step is saved before the next begins","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"40. Each step is saved before the next begins"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0040-steps-are-saved-first.md","filePath":"decisions/0040-steps-are-saved-first.md"}');
const _sfc_main = { name: "decisions/0040-steps-are-saved-first.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="40-each-step-is-saved-before-the-next-begins" tabindex="-1">40. Each step is saved before the next begins <a class="header-anchor" href="#40-each-step-is-saved-before-the-next-begins" aria-label="Permalink to &quot;40. Each step is saved before the next begins&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Grades, rewrites and searches cost money. LangGraph 1.4 forgets what single tasks of an interrupted step had saved when it resumes a graph inside a graph. It also draws error handlers as nodes without an incoming edge.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The sub-graph saves every step, unless the parent saves nothing before its end (<code>durability: &#39;exit&#39;</code>). <code>adapters/langgraph/</code> corrects both behaviours of LangGraph.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Each step costs one write. A killed run repeats only the calls in progress.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0040-steps-are-saved-first.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0040StepsAreSavedFirst = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0040StepsAreSavedFirst as default
};
