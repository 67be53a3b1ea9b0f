import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"27. Sanitising comes before every stage","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"27. Sanitising comes before every stage"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0027-sanitise-first.md","filePath":"decisions/0027-sanitise-first.md"}');
const _sfc_main = { name: "decisions/0027-sanitise-first.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="27-sanitising-comes-before-every-stage" tabindex="-1">27. Sanitising comes before every stage <a class="header-anchor" href="#27-sanitising-comes-before-every-stage" aria-label="Permalink to &quot;27. Sanitising comes before every stage&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>If the shown text differed from the compared text, copies, facts, sentences and token counts could be wrong.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>sanitise</code> runs before the first stage. It neutralises a role tag that would be read as one at the beginning of a paragraph wherever the tag stands, because extraction may move it there.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>All stages work on the text that the model sees. The offsets of excerpts still refer to the original text.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0027-sanitise-first.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0027SanitiseFirst = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0027SanitiseFirst as default
};
