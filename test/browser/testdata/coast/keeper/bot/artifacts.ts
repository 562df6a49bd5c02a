import { defineArtifacts } from "@cursor/bdk/artifacts";

export default defineArtifacts({ kinds: { report: { description: "What a month was like" }, chart: { description: "A picture or a recording" } }, agentTool: true });
