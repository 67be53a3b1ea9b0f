import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"22. Ward linkage is exact on cosine distance","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"22. Ward linkage is exact on cosine distance"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0022-ward-on-cosine-distance.md","filePath":"decisions/0022-ward-on-cosine-distance.md"}');
const _sfc_main = { name: "decisions/0022-ward-on-cosine-distance.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="22-ward-linkage-is-exact-on-cosine-distance" tabindex="-1">22. Ward linkage is exact on cosine distance <a class="header-anchor" href="#22-ward-linkage-is-exact-on-cosine-distance" aria-label="Permalink to &quot;22. Ward linkage is exact on cosine distance&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Ward&#39;s criterion is defined on squared Euclidean distances.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Linkage uses the cosine distance directly. For unit vectors, cosine distance is half the squared Euclidean distance.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The criterion holds exactly. Heights of the tree are increases of the sum of squares, so <code>cluster.maxDistance</code> has that meaning with <code>ward</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0022-ward-on-cosine-distance.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0022WardOnCosineDistance = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0022WardOnCosineDistance as default
};
