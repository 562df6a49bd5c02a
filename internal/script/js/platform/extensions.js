// defineExtension gives what a project mounts: a function of the settings, whose
// config holds them, parsed, once it was mounted.
export function defineExtension(definition) {
  if (definition === null || typeof definition !== "object") throw new TypeError("defineExtension needs an object {root, description, config?}");
  let config, mounted = false;
  const mount = (settings = {}) => {
    config = __bdk.settings(definition.config, settings);
    mounted = true;
    return __bdk.mark("extension", { root: definition.root, description: definition.description, fields: Object.keys(definition) });
  };
  Object.defineProperty(mount, "config", {
    enumerable: true,
    get() {
      if (!mounted) throw new TypeError("the extension has no config here, since nothing mounted it: read extension.config in the files of its slots, or in functions that they call. A file outside of the mount has a copy of its own, which never has one");
      return config;
    },
  });
  return __bdk.mark("extension", mount);
}

// cursorPlugin names what has no value, which JSON would lose.
export function cursorPlugin(plugin) {
  if (plugin === null || typeof plugin !== "object") throw new TypeError("cursorPlugin needs an object {path, variables?}");
  const { path, variables = {} } = plugin, values = {}, unset = [];
  if (variables === null || typeof variables !== "object") throw new TypeError("variables of cursorPlugin is an object of strings");
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) unset.push(name);
    else if (typeof value === "string") values[name] = value;
    else throw new TypeError(`variables.${name} of cursorPlugin is no string`);
  }
  return __bdk.mark("extension", { plugin: { path, variables: values, unset, fields: Object.keys(plugin) } });
}

// disable takes away what an extension brings; each slot has its own form.
const disables = (slot) => __bdk.mark("disable", () => __bdk.mark("disable", { disable: slot }));
export const disable = disables("any");
export const disableTool = disables("tool");
export const disableHook = disables("hook");
export const disableSkill = disables("skill");
export const disableChannel = disables("channel");
export const disableSchedule = disables("schedule");
export const disableSubagent = disables("subagent");
export const disableConnection = disables("connection");
export const disableArtifact = disables("artifact");
export const disableInstructions = disables("instructions");
