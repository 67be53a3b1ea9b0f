const _imports_0 = "/plots/speed.svg";
export {
  _imports_0 as _
};
