import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"63. Exact token counts are an optional package","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"63. Exact token counts are an optional package"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0063-exact-token-counts.md","filePath":"decisions/0063-exact-token-counts.md"}');
const _sfc_main = { name: "decisions/0063-exact-token-counts.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="63-exact-token-counts-are-an-optional-package" tabindex="-1">63. Exact token counts are an optional package <a class="header-anchor" href="#63-exact-token-counts-are-an-optional-package" aria-label="Permalink to &quot;63. Exact token counts are an optional package&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-24</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The exact encodings need vocabularies of 1 to 2.4 MB, in a package of 30 MB. The default counter estimates and needs neither. As a dependency, the package was half of an installation. A condition and a second entry, <code>context-shaping/small</code>, kept the vocabularies out of programs in one file.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>gpt-tokenizer</code> is an optional peer. The core computes the name that it imports, so bundlers do not look for it. For bundles, <code>context-shaping/gpt-tokenizer</code> imports it by literal names, and makes the counter known to the core. The condition and the entry are gone, because the core has no vocabularies.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p><code>tokenizer: &#39;o200k_base&#39;</code> without the package is the error <code>missing-dependency</code>, with the command that installs it.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0063-exact-token-counts.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0063ExactTokenCounts = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0063ExactTokenCounts as default
};
