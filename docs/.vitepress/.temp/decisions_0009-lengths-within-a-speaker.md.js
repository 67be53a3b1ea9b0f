import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"9. BM25 compares lengths within one speaker","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"9. BM25 compares lengths within one speaker"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0009-lengths-within-a-speaker.md","filePath":"decisions/0009-lengths-within-a-speaker.md"}');
const _sfc_main = { name: "decisions/0009-lengths-within-a-speaker.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="9-bm25-compares-lengths-within-one-speaker" tabindex="-1">9. BM25 compares lengths within one speaker <a class="header-anchor" href="#9-bm25-compares-lengths-within-one-speaker" aria-label="Permalink to &quot;9. BM25 compares lengths within one speaker&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>BM25 compares the length of a text with the mean. With one mean for all, an assistant&#39;s long answers make every short line of a user win.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Lengths are compared with the mean of the same speaker.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A short line is compared with the lines of its own speaker, not with essays.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0009-lengths-within-a-speaker.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0009LengthsWithinASpeaker = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0009LengthsWithinASpeaker as default
};
