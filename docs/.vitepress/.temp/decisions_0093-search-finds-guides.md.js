import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"93. The search of the site finds guides first","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"93. The search of the site finds guides first"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0093-search-finds-guides.md","filePath":"decisions/0093-search-finds-guides.md"}');
const _sfc_main = { name: "decisions/0093-search-finds-guides.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="93-the-search-of-the-site-finds-guides-first" tabindex="-1">93. The search of the site finds guides first <a class="header-anchor" href="#93-the-search-of-the-site-finds-guides-first" aria-label="Permalink to &quot;93. The search of the site finds guides first&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-27</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The site had 659 pages and 165 MB, because each name of the API had a page with a side bar of all names. The index of the search had 1.8 MB, and <code>budget</code> found twelve interfaces and no guide. Three rival ways were thought of: a hosted search, which makes requests to another host; a search engine of WebAssembly, which is one more dependency; and the search of VitePress with an index of fewer pages.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>The API has a page for each entry of the package.</li><li>The index leaves out the API, decisions, examples and project files. Names of the API are found on the page of public names.</li><li>Guides weigh more than concepts, and those more than the rest. The beginning of a page weighs twice as much as a section.</li><li>A page may have words of readers that it does not use itself, such as &quot;Python&quot; for the service. They are in one table.</li><li>A table of thirty words with their pages, written before the search was tuned, is a test. Twenty-seven must be among the first two results.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The site has 43 MB and 202 pages, and the index .57 MB. Before the words of readers were added, 26 of the thirty were found, and 27 afterwards. A reader who looks for the name of a type finds the page of public names, and from there the API.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0093-search-finds-guides.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0093SearchFindsGuides = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0093SearchFindsGuides as default
};
