// memoryHook is data for the host, which keeps the journal. A backend of the
// project's own may be of a class: its append is called as its method.
export function memoryHook(options = {}) {
  const { backend } = options;
  if (typeof backend?.append !== "function") return __bdk.mark("memoryHook", { ...options });
  return __bdk.mark("memoryHook", { ...options, backend: { append: (line, ctx) => backend.append(line, ctx) } });
}
