import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"49. Importing does no work up front","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"49. Importing does no work up front"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0049-imports-do-no-work.md","filePath":"decisions/0049-imports-do-no-work.md"}');
const _sfc_main = { name: "decisions/0049-imports-do-no-work.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="49-importing-does-no-work-up-front" tabindex="-1">49. Importing does no work up front <a class="header-anchor" href="#49-importing-does-no-work-up-front" aria-label="Permalink to &quot;49. Importing does no work up front&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>In Node, the core consisted of two hundred files, half of them zod&#39;s languages. V8 builds the set of every Unicode class in a regular expression as soon as it reads the file.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Node gets a bundle (<code>dist/node</code>). Regular expressions with Unicode classes, tables and the schema of options are made when they are first needed. Bundlers get the separate modules, because they could not leave out unused parts of one file.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Importing takes a seventh of the time.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0049-imports-do-no-work.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0049ImportsDoNoWork = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0049ImportsDoNoWork as default
};
