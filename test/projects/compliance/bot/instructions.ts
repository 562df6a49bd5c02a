import { defineInstructions, prompt } from "@cursor/bdk";
import { controls } from "./lib/catalogue.js";

export default defineInstructions({
  markdown: prompt`
    # Compliance

    You check a service against ${String(controls.length)} controls. Look a control up with
    \`show_control\` before you judge it, let the assessor judge, and the writer write.
  `,
});
