import bell from "../../packages/bell/extension.js";

const code = process.env.BELL_CODE;
if (!code) throw new Error("Set BELL_CODE to the code of the bell.");

export default bell({ code });
