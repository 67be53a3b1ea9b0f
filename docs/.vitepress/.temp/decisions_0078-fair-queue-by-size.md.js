import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"78. The queue of the service is fair by size","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"78. The queue of the service is fair by size"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0078-fair-queue-by-size.md","filePath":"decisions/0078-fair-queue-by-size.md"}');
const _sfc_main = { name: "decisions/0078-fair-queue-by-size.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="78-the-queue-of-the-service-is-fair-by-size" tabindex="-1">78. The queue of the service is fair by size <a class="header-anchor" href="#78-the-queue-of-the-service-is-fair-by-size" aria-label="Permalink to &quot;78. The queue of the service is fair by size&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-23</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Requests differ in size by a factor of a hundred. In the order of their arrival, a small request waits for all large ones before it, and a thread that runs a large one cannot be interrupted.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The queue is start-time fair queueing (Goyal, Vin and Cheng 1996) over six classes of size, by the bytes of the body. Each class has an equal share of the bytes, and is served in the order of arrival. One thread more than <code>workers</code> runs a request of a smaller class than all in work. A full queue refuses the newest request of the longest class, and each class keeps a sixth of its places.</p><p>A small request could also share the thread of a large one. That takes less memory and is as fast. But a thread that exceeds its time limit is ended, and its neighbour would have to be repeated.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The wait of a request for a place is bounded by the work of its own class before it, and by one request of each other class. Large requests lose throughput while small ones arrive. The additional thread takes about 100 MB. API keys are not told apart; <code>rateLimit</code> limits each.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0078-fair-queue-by-size.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0078FairQueueBySize = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0078FairQueueBySize as default
};
