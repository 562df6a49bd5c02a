import {
  disable,
  disableArtifact,
  disableChannel,
  disableConnection,
  disableHook,
  disableInstructions,
  disableSchedule,
  disableSkill,
  disableSubagent,
  disableTool,
} from "@cursor/bdk/extensions";

export const others = [disable(), disableArtifact(), disableChannel(), disableConnection(), disableHook(), disableInstructions(), disableSchedule(), disableSkill(), disableSubagent()];

export default disableTool();
