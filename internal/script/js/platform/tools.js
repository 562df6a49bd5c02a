export const defineTool = (tool) => __bdk.mark("tool", tool);
