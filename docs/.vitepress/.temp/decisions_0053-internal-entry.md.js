import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"53. Adapters share an internal entry with the core","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"53. Adapters share an internal entry with the core"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0053-internal-entry.md","filePath":"decisions/0053-internal-entry.md"}');
const _sfc_main = { name: "decisions/0053-internal-entry.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="53-adapters-share-an-internal-entry-with-the-core" tabindex="-1">53. Adapters share an internal entry with the core <a class="header-anchor" href="#53-adapters-share-an-internal-entry-with-the-core" aria-label="Permalink to &quot;53. Adapters share an internal entry with the core&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Adapters use functions of the core that users do not need. As public names they were promises. A second copy of them would load the core twice.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>src/internal.ts</code> exports these names. <code>package.json</code> maps it to <code>#internal</code>, which only files of this package can import. <code>dist/node</code> is one bundle with both entries.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Internal names may change in every release. Node loads one core (checked by <code>npm run test:package</code>).</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0053-internal-entry.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0053InternalEntry = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0053InternalEntry as default
};
