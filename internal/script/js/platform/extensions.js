// defineExtension gives what a project mounts: a function of the settings, whose
// config holds them, parsed, once it was mounted.
export function defineExtension(definition) {
  const mount = (settings = {}) => {
    mount.config = configOf(definition, settings);
    return __bdk.mark("extension", { definition, config: mount.config });
  };
  mount.config = undefined;
  return __bdk.mark("extension", mount);
}

function configOf(definition, settings) {
  const r = __bdk.validate(definition?.config, settings);
  if (typeof r.then === "function") throw new TypeError("the config of an extension must be a schema that parses at once");
  if (r.issues) throw new TypeError("the extension's settings do not fit: " + __bdk.issuesText(r.issues));
  return r.value;
}

export const cursorPlugin = (plugin) => __bdk.mark("extension", { plugin });

// disable takes away what an extension brings; each slot has its own form.
const disables = (slot) => () => __bdk.mark("disable", { disable: slot });
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
