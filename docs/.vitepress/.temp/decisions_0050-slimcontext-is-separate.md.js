import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"50. SlimContext's stages are separate","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"50. SlimContext's stages are separate"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0050-slimcontext-is-separate.md","filePath":"decisions/0050-slimcontext-is-separate.md"}`);
const _sfc_main = { name: "decisions/0050-slimcontext-is-separate.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="50-slimcontexts-stages-are-separate" tabindex="-1">50. SlimContext&#39;s stages are separate <a class="header-anchor" href="#50-slimcontexts-stages-are-separate" aria-label="Permalink to &quot;50. SlimContext&#39;s stages are separate&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>SlimContext&#39;s stages evict without pressure, ignore conflicts, and compare other words than ours. Options that change our stages to do the same would be a second pipeline inside the first.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>/v1/optimize</code> has its own stages in <code>packages/server/src/workers/optimize</code>. It shares the parts that are equal: linkage, MMR, cosines and token counts.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The service offers both, <code>/v1/shape</code> and <code>/v1/optimize</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0050-slimcontext-is-separate.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0050SlimcontextIsSeparate = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0050SlimcontextIsSeparate as default
};
