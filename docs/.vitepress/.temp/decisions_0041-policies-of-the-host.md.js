import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"41. LangGraph's policies retry, limit time and cache","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"41. LangGraph's policies retry, limit time and cache"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0041-policies-of-the-host.md","filePath":"decisions/0041-policies-of-the-host.md"}`);
const _sfc_main = { name: "decisions/0041-policies-of-the-host.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="41-langgraphs-policies-retry-limit-time-and-cache" tabindex="-1">41. LangGraph&#39;s policies retry, limit time and cache <a class="header-anchor" href="#41-langgraphs-policies-retry-limit-time-and-cache" aria-label="Permalink to &quot;41. LangGraph&#39;s policies retry, limit time and cache&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A node that caught its own failures would have them cached as successes.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>LangGraph&#39;s policies retry, time out and cache. Its error handlers produce the degraded result.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Users configure <code>retryPolicy</code> and <code>cachePolicy</code> as in any other graph. Failures are never cached.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0041-policies-of-the-host.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0041PoliciesOfTheHost = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0041PoliciesOfTheHost as default
};
